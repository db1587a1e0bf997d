import { terraform } from '../../../src/languages/terraform/servers.ts';
import { describeInstalled } from '../../servers/installed.ts';

const currency = { namePath: 'variable "currency"', file: 'main.tf' };

describeInstalled(terraform, {
  fixture: 'terraform',
  program: 'terraform-ls',
  questions: {
    overview: ['main.tf', 'usage.tf'],
    find: ['variable "currency"', 'locals/limit', { part: 'network' }, 'nowhere'],
    body: [currency, { namePath: 'module "network"', file: 'main.tf' }],
    containing: [
      { file: 'main.tf', at: /(🧾)/ },
      { file: 'usage.tf', at: /(local)\./ },
    ],
    references: [currency, { namePath: 'locals/label', file: 'main.tf' }],
    implementation: currency,
    diagnostics: { clean: 'clean/clean.tf', broken: 'broken/broken.tf' },
    rename: { file: 'main.tf', at: /"(currency)"/, to: 'money' },
    edit: {
      symbol: currency,
      appended: '\noutput "gift" {\n  value = var.currency\n}\n',
      defines: 'output "gift"',
      user: 'usage.tf',
      prepended: '# Usage.\n\n',
    },
    external: {
      symbol: currency,
      file: 'wish.tf',
      text: 'output "wish" {\n  value = var.currency\n}\n',
      changed: 'output "wishes" {\n  value = [var.currency]\n}\n',
      moved: 'list.tf',
    },
  },
});
