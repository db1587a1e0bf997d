// Written by scripts/embed-resources.ts (`npm run format`); never edited.
import text0 from '../../resources/templates/memory_maintenance.md' with { type: 'text' };
import text1 from '../../resources/templates/project.yml' with { type: 'text' };
import text2 from '../../resources/templates/serena_config.yml' with { type: 'text' };

/** The text of each template, by its path below `resources/`, with `/`. */
export const resources: Readonly<Record<string, string>> = {
  'templates/memory_maintenance.md': text0,
  'templates/project.yml': text1,
  'templates/serena_config.yml': text2,
};
