// Written by scripts/embed-resources.ts (`npm run format`); never edited.
import text0 from '../../resources/contexts/desktop-app.yml' with { type: 'text' };
import text1 from '../../resources/modes/editing.yml' with { type: 'text' };
import text2 from '../../resources/modes/interactive.yml' with { type: 'text' };
import text3 from '../../resources/prompts/info_prompts.yml' with { type: 'text' };
import text4 from '../../resources/prompts/simple_tool_outputs.yml' with { type: 'text' };
import text5 from '../../resources/prompts/system_prompt.yml' with { type: 'text' };
import text6 from '../../resources/templates/context.yml' with { type: 'text' };
import text7 from '../../resources/templates/memory_maintenance.md' with { type: 'text' };
import text8 from '../../resources/templates/mode.yml' with { type: 'text' };
import text9 from '../../resources/templates/project.yml' with { type: 'text' };
import text10 from '../../resources/templates/serena_config.yml' with { type: 'text' };

/** The text of each context, mode, prompt file and template, by its path below `resources/`, with `/`. */
export const resources: Readonly<Record<string, string>> = {
  'contexts/desktop-app.yml': text0,
  'modes/editing.yml': text1,
  'modes/interactive.yml': text2,
  'prompts/info_prompts.yml': text3,
  'prompts/simple_tool_outputs.yml': text4,
  'prompts/system_prompt.yml': text5,
  'templates/context.yml': text6,
  'templates/memory_maintenance.md': text7,
  'templates/mode.yml': text8,
  'templates/project.yml': text9,
  'templates/serena_config.yml': text10,
};
