import { InvalidArgumentError, Option } from 'commander';

/** Names of LSP's symbol kinds as answers show them, in the order of their numbers, from 1. */
export const kindNames: readonly string[] = [
  ...['File', 'Module', 'Namespace', 'Package', 'Class', 'Method', 'Property', 'Field', 'Constructor', 'Enum'],
  ...['Interface', 'Function', 'Variable', 'Constant', 'String', 'Number', 'Boolean', 'Array', 'Object', 'Key', 'Null'],
  ...['EnumMember', 'Struct', 'Event', 'Operator', 'TypeParameter'],
];

/** Returns the option `--kind`, whose value is a list of the numbers of symbol kinds. */
export function kindOption(): Option {
  return new Option('--kind <kinds>', 'only these kinds, separated by commas, such as class,interface').argParser(
    parseKinds,
  );
}

/** @throws {InvalidArgumentError} for a name that LSP does not have. */
function parseKinds(text: string, before: readonly number[] = []): readonly number[] {
  const given = text.split(',').map((name) => {
    const index = kindNames.findIndex((known) => known.toLowerCase() === name.trim().toLowerCase());
    if (index < 0) throw new InvalidArgumentError(`it must be of ${kindNames.join(', ')}.`);
    return index + 1;
  });
  return [...before, ...given];
}
