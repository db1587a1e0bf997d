// Written by scripts/embed-resources.ts (`npm run format`); never edited.
import text0 from '../../resources/contexts/agent.yml' with { type: 'text' };
import text1 from '../../resources/contexts/antigravity.yml' with { type: 'text' };
import text2 from '../../resources/contexts/chatgpt.yml' with { type: 'text' };
import text4 from '../../resources/contexts/claude-code.yml' with { type: 'text' };
import text3 from '../../resources/contexts/claude-code-deferred.yml' with { type: 'text' };
import text5 from '../../resources/contexts/code-mode.yml' with { type: 'text' };
import text6 from '../../resources/contexts/codebuddy.yml' with { type: 'text' };
import text7 from '../../resources/contexts/codex.yml' with { type: 'text' };
import text8 from '../../resources/contexts/compact.yml' with { type: 'text' };
import text9 from '../../resources/contexts/copilot-cli.yml' with { type: 'text' };
import text10 from '../../resources/contexts/deferred-loading.yml' with { type: 'text' };
import text11 from '../../resources/contexts/desktop-app.yml' with { type: 'text' };
import text12 from '../../resources/contexts/grok.yml' with { type: 'text' };
import text13 from '../../resources/contexts/ide.yml' with { type: 'text' };
import text14 from '../../resources/contexts/jb-ai-assistant.yml' with { type: 'text' };
import text15 from '../../resources/contexts/jb-copilot-plugin.yml' with { type: 'text' };
import text16 from '../../resources/contexts/junie.yml' with { type: 'text' };
import text17 from '../../resources/contexts/oaicompat-agent.yml' with { type: 'text' };
import text18 from '../../resources/contexts/vscode.yml' with { type: 'text' };
import text19 from '../../resources/contexts/zcode.yml' with { type: 'text' };
import text20 from '../../resources/dashboard/api.js' with { type: 'text' };
import text21 from '../../resources/dashboard/app.js' with { type: 'text' };
import text22 from '../../resources/dashboard/calls.js' with { type: 'text' };
import text23 from '../../resources/dashboard/configuration.js' with { type: 'text' };
import text24 from '../../resources/dashboard/dom.js' with { type: 'text' };
import text25 from '../../resources/dashboard/edits.js' with { type: 'text' };
import text26 from '../../resources/dashboard/index.html.txt' with { type: 'text' };
import text27 from '../../resources/dashboard/logs.js' with { type: 'text' };
import text28 from '../../resources/dashboard/memories.js' with { type: 'text' };
import text29 from '../../resources/dashboard/overview.js' with { type: 'text' };
import text30 from '../../resources/dashboard/project-choice.js' with { type: 'text' };
import text31 from '../../resources/dashboard/servers.js' with { type: 'text' };
import text32 from '../../resources/dashboard/style.css' with { type: 'text' };
import text33 from '../../resources/dashboard/symbols.js' with { type: 'text' };
import text34 from '../../resources/dashboard/usage.js' with { type: 'text' };
import text35 from '../../resources/modes/benchmark.yml' with { type: 'text' };
import text36 from '../../resources/modes/editing.yml' with { type: 'text' };
import text37 from '../../resources/modes/interactive.yml' with { type: 'text' };
import text38 from '../../resources/modes/no-memories.yml' with { type: 'text' };
import text39 from '../../resources/modes/no-onboarding.yml' with { type: 'text' };
import text40 from '../../resources/modes/onboarding.yml' with { type: 'text' };
import text41 from '../../resources/modes/one-shot.yml' with { type: 'text' };
import text42 from '../../resources/modes/planning.yml' with { type: 'text' };
import text43 from '../../resources/modes/query-projects.yml' with { type: 'text' };
import text44 from '../../resources/prompts/info_prompts.yml' with { type: 'text' };
import text45 from '../../resources/prompts/simple_tool_outputs.yml' with { type: 'text' };
import text46 from '../../resources/prompts/system_prompt.yml' with { type: 'text' };
import text47 from '../../resources/templates/context.yml' with { type: 'text' };
import text48 from '../../resources/templates/memory_maintenance.md' with { type: 'text' };
import text49 from '../../resources/templates/mode.yml' with { type: 'text' };
import text50 from '../../resources/templates/project.yml' with { type: 'text' };
import text51 from '../../resources/templates/serena_config.yml' with { type: 'text' };

/** The text of each context, mode, prompt file, template and file of the dashboard, by its path below `resources/`, with `/`. */
export const resources: Readonly<Record<string, string>> = {
  'contexts/agent.yml': text0,
  'contexts/antigravity.yml': text1,
  'contexts/chatgpt.yml': text2,
  'contexts/claude-code-deferred.yml': text3,
  'contexts/claude-code.yml': text4,
  'contexts/code-mode.yml': text5,
  'contexts/codebuddy.yml': text6,
  'contexts/codex.yml': text7,
  'contexts/compact.yml': text8,
  'contexts/copilot-cli.yml': text9,
  'contexts/deferred-loading.yml': text10,
  'contexts/desktop-app.yml': text11,
  'contexts/grok.yml': text12,
  'contexts/ide.yml': text13,
  'contexts/jb-ai-assistant.yml': text14,
  'contexts/jb-copilot-plugin.yml': text15,
  'contexts/junie.yml': text16,
  'contexts/oaicompat-agent.yml': text17,
  'contexts/vscode.yml': text18,
  'contexts/zcode.yml': text19,
  'dashboard/api.js': text20,
  'dashboard/app.js': text21,
  'dashboard/calls.js': text22,
  'dashboard/configuration.js': text23,
  'dashboard/dom.js': text24,
  'dashboard/edits.js': text25,
  'dashboard/index.html.txt': text26,
  'dashboard/logs.js': text27,
  'dashboard/memories.js': text28,
  'dashboard/overview.js': text29,
  'dashboard/project-choice.js': text30,
  'dashboard/servers.js': text31,
  'dashboard/style.css': text32,
  'dashboard/symbols.js': text33,
  'dashboard/usage.js': text34,
  'modes/benchmark.yml': text35,
  'modes/editing.yml': text36,
  'modes/interactive.yml': text37,
  'modes/no-memories.yml': text38,
  'modes/no-onboarding.yml': text39,
  'modes/onboarding.yml': text40,
  'modes/one-shot.yml': text41,
  'modes/planning.yml': text42,
  'modes/query-projects.yml': text43,
  'prompts/info_prompts.yml': text44,
  'prompts/simple_tool_outputs.yml': text45,
  'prompts/system_prompt.yml': text46,
  'templates/context.yml': text47,
  'templates/memory_maintenance.md': text48,
  'templates/mode.yml': text49,
  'templates/project.yml': text50,
  'templates/serena_config.yml': text51,
};
