import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../speed/fetch.ts';
import { rustEdits } from '../edits/rust-edits.ts';
import { cargoTests } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage } from '../model.ts';
import { rustDiagnostics } from '../oracles/rust-diagnostics.ts';
import { rustImplementations } from '../oracles/rust-implementations.ts';
import { rustOverview } from '../oracles/rust-overview.ts';
import { rustReferences } from '../oracles/rust-references.ts';
import { rustTraps } from '../traps/rust.ts';

const shared = {
  language: 'rust',
  serverId: 'rust',
  languageId: 'rust',
  extensions: ['.rs'],
  program: 'rust-analyzer',
  readyMessage: { method: 'experimental/serverStatus', pattern: /"quiescent":true/ },
} as const;

function rustPackage(name: string, version: string, configurations: readonly string[]): BenchPackage {
  return {
    ...shared,
    name: `${name} ${version}`,
    configurations,
    // Examples in the documentation take long to compile.
    exercise: cargoTests(['--tests']),
    fetch: (directory) => fetchCrate(directory, name, version),
  };
}

/** Copies a crate's sources into `directory` and downloads its dependencies, also those of its tests. */
async function fetchCrate(directory: string, name: string, version: string): Promise<void> {
  const reader = join(directory, '.reader');
  mkdirSync(join(reader, 'src'), { recursive: true });
  writeFileSync(join(reader, 'src/lib.rs'), '');
  writeFileSync(
    join(reader, 'Cargo.toml'),
    `[package]\nname = "reader"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${name} = "=${version}"\n`,
  );
  await mustRun('cargo', ['fetch'], reader);
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const found = readdirSync(sources)
    .map((registry) => join(sources, registry, `${name}-${version}`))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`cargo did not download ${name} ${version}`);
  cpSync(found, directory, { recursive: true });
  rmSync(reader, { recursive: true });
  await mustRun('cargo', ['fetch'], directory);
}

/**
 * Packages and oracles of Rust. `rust-analyzer` has to work: if the default toolchain lacks it, `RUSTUP_HOME` has to name
 * toolchains that have it.
 */
export const rust: BenchLanguage = {
  references: rustReferences,
  overview: rustOverview,
  edits: rustEdits,
  implementations: rustImplementations,
  diagnostics: rustDiagnostics,
  traps: rustTraps,
  outside: ({ name, version, configurations = ['--tests'] }) => rustPackage(name, version, configurations),
  packages: [
    // Its benchmark needs a nightly compiler.
    rustPackage('semver', '1.0.27', ['--tests --all-features', '--lib --no-default-features']),
    rustPackage('arrayvec', '0.7.6', ['--all-targets --all-features', '--lib --no-default-features']),
    // Their benchmarks need a nightly compiler.
    rustPackage('indexmap', '2.7.0', ['--tests', '--lib --no-default-features']),
    rustPackage('bytes', '1.9.0', ['--tests', '--lib --no-default-features']),
    {
      ...rustPackage('similar', '2.6.0', ['--lib --tests --all-features', '--lib --no-default-features']),
      isNew: true,
    },
    { ...rustPackage('roxmltree', '0.20.0', ['--all-targets', '--lib --no-default-features']), isNew: true },
    { ...rustPackage('heck', '0.5.0', ['--all-targets']), isNew: true },
    // Its tests have lines behind `not(feature = …)`.
    rustPackage('textwrap', '0.16.2', ['--all-targets --all-features', '--lib --tests --no-default-features']),
  ],
};
