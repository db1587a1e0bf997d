import { defineServer } from '../../servers/spec.ts';

export const powershell = defineServer({
  id: 'powershell',
  name: 'PowerShell Editor Services',
  homepage: 'https://github.com/PowerShell/PowerShellEditorServices',
  files: { '.ps1': 'powershell', '.psd1': 'powershell', '.psm1': 'powershell' },
  install: [
    {
      from: 'archive',
      version: '4.4.0',
      url: 'https://github.com/PowerShell/PowerShellEditorServices/releases/download/v{version}/{file}',
      assets: {
        any: { file: 'PowerShellEditorServices.zip', bin: 'PowerShellEditorServices/Start-EditorServices.ps1' },
      },
      runs: { by: 'pwsh', args: ['-NoLogo', '-NoProfile', '-File', '{program}'] },
    },
  ],
  args: [
    ...['-HostName', 'Serena', '-HostProfileId', 'serena', '-HostVersion', '1.0.0', '-Stdio'],
    ...['-BundledModulesPath', '{directory}', '-LogLevel', 'Warning'],
    ...['-LogPath', '{temp}/log', '-SessionDetailsPath', '{temp}/session.json'],
  ],
  env: { POWERSHELL_TELEMETRY_OPTOUT: '1' },
  requires: [{ program: 'pwsh', hint: 'install PowerShell 7' }],
  versionKey: 'pses_version',
  ignoredSettings: ['psscriptanalyzer_version'],
  ignoredDirectories: ['bin', 'obj', 'TestResults', 'Output'],
  // `function Get-Total ($items)`, `class Basket { }`, `[int] Sum([int]$a)`, `[string] $Name`
  nameRules: [
    { from: /^(?:function|filter|workflow|configuration|class|enum)\s+/i },
    { from: /^(?:\[[^\s$]+\]\s*)+(?=\S)/ },
    { from: /\s*[({].*$/s },
  ],
  symbolsVersion: 2,
});
