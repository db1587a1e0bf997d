import { defineServer, onPath } from '../../servers/spec.ts';

export const terraform = defineServer({
  id: 'terraform',
  name: 'terraform-ls',
  homepage: 'https://github.com/hashicorp/terraform-ls',
  files: { '.tf': 'terraform', '.tfvars': 'terraform-vars', '.tfstate': 'json' },
  install: [
    onPath(
      'terraform-ls',
      'install terraform-ls, as with `brew install hashicorp/tap/terraform-ls` or `go install github.com/hashicorp/terraform-ls@v0.39.0`',
    ),
    {
      from: 'archive',
      version: '0.36.5',
      url: 'https://releases.hashicorp.com/terraform-ls/{version}/{file}',
      assets: {
        'linux-x64': { file: 'terraform-ls_0.36.5_linux_amd64.zip', bin: 'terraform-ls' },
        'linux-x64-musl': { file: 'terraform-ls_0.36.5_linux_amd64.zip', bin: 'terraform-ls' },
        'linux-arm64': { file: 'terraform-ls_0.36.5_linux_arm64.zip', bin: 'terraform-ls' },
        'linux-arm64-musl': { file: 'terraform-ls_0.36.5_linux_arm64.zip', bin: 'terraform-ls' },
        'darwin-x64': { file: 'terraform-ls_0.36.5_darwin_amd64.zip', bin: 'terraform-ls' },
        'darwin-arm64': { file: 'terraform-ls_0.36.5_darwin_arm64.zip', bin: 'terraform-ls' },
        'win32-x64': { file: 'terraform-ls_0.36.5_windows_amd64.zip', bin: 'terraform-ls.exe' },
      },
    },
  ],
  args: ['serve'],
  versionKey: 'terraform_ls_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['.terraform.lock.hcl'],
  ignoredDirectories: ['.terraform', 'terraform.tfstate.d'],
  quirks: {
    noDiagnosticsReason:
      'publishes none about files without errors, and those of others only when their directory changes',
  },
});
