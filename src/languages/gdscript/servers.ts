import { defineServer } from '../../servers/spec.ts';

export const gdscript = defineServer({
  id: 'gdscript',
  name: 'Godot',
  homepage: 'https://godotengine.org',
  files: { '.gd': 'gdscript', '.gdscript': 'gdscript' },
  install: [
    {
      from: 'attach',
      port: 6008,
      hint: 'open the project in the Godot editor, or set `ls_specific_settings.gdscript.port` to the port in its settings under Network, Language Server',
    },
  ],
  ownSettings: { port: 6008 },
  ignoredSettings: ['request_timeout'],
  watchedFiles: ['project.godot'],
});
