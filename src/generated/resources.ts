// Written by scripts/embed-resources.ts (`npm run format`); never edited.
import text0 from '../../resources/templates/project.yml' with { type: 'text' };
import text1 from '../../resources/templates/serena_config.yml' with { type: 'text' };

/** The text of each template, by its path below `resources/`, with `/`. */
export const resources: Readonly<Record<string, string>> = {
  'templates/project.yml': text0,
  'templates/serena_config.yml': text1,
};
