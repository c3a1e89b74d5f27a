import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { EXEC, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { findCommand } from '../../framework/command.js';
import { type ToolContext, ToolFailure } from '../../framework/tool.js';
import { writeFile } from '../disk.js';
import type { Service } from './services.js';

const FOLDER = '/etc/systemd/system';
const NOWHERE = '/dev/null';

const maskOf = (name: string): string => `${FOLDER}/${name}`;

/** `name`: 'kubelet.service'. */
export function isMasked(sys: Syscalls, name: string): boolean {
  try {
    return sys.readLink(maskOf(name)) === NOWHERE;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** `systemctl mask`: nothing starts the unit any more. A unit whose file lies in /etc itself cannot be masked. */
export function mask({ sys, err }: ToolContext, name: string, isKnown: boolean): number {
  if (isMasked(sys, name)) return 0;
  if (!isKnown) err(`Unit ${name} does not exist, proceeding anyway.\n`);
  if (sys.access(maskOf(name), '')) {
    err(`Failed to mask unit: File '${maskOf(name)}' already exists\n`);
    return 1;
  }
  sys.symlink(NOWHERE, maskOf(name));
  err(bytesOf(`Created symlink '${maskOf(name)}' → '${NOWHERE}'.\n`));
  return 0;
}

export function unmask({ sys, err }: ToolContext, name: string, isKnown: boolean): number {
  if (!isMasked(sys, name)) {
    if (!isKnown) err(`Unit ${name} does not exist, proceeding anyway.\n`);
    return 0;
  }
  sys.unlink(maskOf(name));
  err(`Removed '${maskOf(name)}'.\n`);
  return 0;
}

const EDITORS = ['editor', 'nano', 'vim', 'vi'];

/** `systemctl edit`: an editor on the unit's own drop-in, or on all of its file. The file is read at the next start. */
export function edit(tool: ToolContext, { unit, file }: Service, isFull: boolean, isStdin: boolean): number | Wait {
  const { sys } = tool;
  const target = isFull ? `${FOLDER}/${unit}.service` : `${FOLDER}/${unit}.service.d/override.conf`;
  if (isStdin) {
    writeFile(sys, target, tool.stdin());
    tool.err(`Successfully installed edited file '${target}'.\n`);
    return 0;
  }
  if (!sys.isTerminal(0) || !sys.isTerminal(1)) {
    tool.err('Cannot edit units if not on a tty.\n');
    return 1;
  }
  if (isFull && file !== target) writeFile(sys, target, tool.input(file));
  if (!isFull && !sys.access(target, '')) writeFile(sys, target, '');
  const wanted = sys.env['SYSTEMD_EDITOR'] ?? sys.env['EDITOR'] ?? sys.env['VISUAL'];
  for (const name of wanted === undefined ? EDITORS : [wanted]) {
    try {
      sys.exec(findCommand(sys, name, sys.env['PATH']), [name, target]);
      return EXEC;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
  throw new ToolFailure(
    `Cannot edit ${unit}.service, no editor available. Please set either $SYSTEMD_EDITOR, $EDITOR or $VISUAL.`,
  );
}

/** Of a unit's file. */
export const isInstallable = (text: string): boolean => /^(WantedBy|RequiredBy|Alias|Also)=/m.test(text);

/** Models systemd's src/systemctl/systemctl-enable.c. */
export const NO_INSTALL = `The unit files have no installation config (WantedBy=, RequiredBy=, UpheldBy=,
Also=, or Alias= settings in the [Install] section, and DefaultInstance= for
template units). This means they are not meant to be enabled or disabled using systemctl.
 
Possible reasons for having these kinds of units are:
• A unit may be statically enabled by being symlinked from another unit's
  .wants/, .requires/, or .upholds/ directory.
• A unit's purpose may be to act as a helper for some other unit which has
  a requirement dependency on it.
• A unit may be started when needed via activation (socket, path, timer,
  D-Bus, udev, scripted systemctl call, ...).
• In case of template units, the unit is meant to be enabled with some
  instance name specified.
`;
