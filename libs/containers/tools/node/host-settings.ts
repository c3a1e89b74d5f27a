import { bytesOf } from '../../../engine/kernel/bytes.js';
import { digestOf } from '../../../engine/node/digest.js';
import { readSmallFile } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, type ToolContext, ToolFailure } from '../framework/tool.js';
import { nodeBootedAt } from '../process/node-processes.js';

const VERSION = 'systemd 257 (257.9-1~deb13u1)';

const printRows = (tool: ToolContext, rows: readonly (readonly [string, string])[], width: number): void => {
  for (const [name, value] of rows) tool.out(bytesOf(`${name.padStart(width)}: ${value}\n`));
};

/** Models systemd's hostnamectl. Left out: new names, which the node would have in no other place. */
export const hostnamectl = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['static', 'transient', 'pretty', 'no-ask-password', 'j', 'json:']);
    const [verb = 'status', ...values] = options.operands;
    const { sys } = tool;
    if ((verb === 'hostname' && values.length === 0) || (verb === 'status' && options.has('static', 'transient'))) {
      tool.out(`${sys.hostname}\n`);
      return 0;
    }
    if (['set-hostname', 'hostname', 'set-location', 'set-chassis', 'set-icon-name', 'set-deployment'].includes(verb))
      throw new ToolFailure(`${verb} is not simulated here: a node keeps the name that it joined the cluster with.`);
    if (verb !== 'status') throw new ToolFailure(`Unknown command verb '${verb}'.`);
    const os = /^PRETTY_NAME="(.*)"/m.exec(readSmallFile(sys, '/etc/os-release'))?.[1] ?? 'Linux';
    const boot = digestOf(`${readSmallFile(sys, '/etc/machine-id')}/${nodeBootedAt(sys)}`).slice(0, 32);
    const rows: readonly (readonly [string, string])[] = [
      ['Static hostname', sys.hostname],
      ['Icon name', 'computer-vm'],
      ['Chassis', 'vm 🖴'],
      ['Machine ID', readSmallFile(sys, '/etc/machine-id').trim()],
      ['Boot ID', boot],
      ['Virtualization', 'kvm'],
      ['Operating System', os],
      ['Kernel', `Linux ${sys.kernel.release}`],
      ['Architecture', 'x86-64'],
      ['Hardware Vendor', 'QEMU'],
      ['Hardware Model', 'Standard PC _Q35 + ICH9, 2009_'],
    ];
    printRows(tool, rows, 16);
    return 0;
  },
  { usage: '[OPTIONS...] COMMAND ...', version: VERSION },
);

/** Models systemd's timedatectl: the time zone is UTC, and the clock is the cluster's. */
export const timedatectl = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'no-pager',
      'no-ask-password',
      'a,all',
      'p,property:',
      'value',
      'adjust-system-clock',
    ]);
    const [verb = 'status'] = options.operands;
    const stamp = new Date(tool.sys.clock).toUTCString().slice(0, 3);
    const text = new Date(tool.sys.clock).toISOString();
    const now = `${stamp} ${text.slice(0, 10)} ${text.slice(11, 19)}`;
    if (verb === 'status') {
      const rows: readonly (readonly [string, string])[] = [
        ['Local time', `${now} UTC`],
        ['Universal time', `${now} UTC`],
        ['RTC time', now],
        ['Time zone', 'Etc/UTC (UTC, +0000)'],
        ['System clock synchronized', 'yes'],
        ['NTP service', 'active'],
        ['RTC in local TZ', 'no'],
      ];
      printRows(tool, rows, 25);
      return 0;
    }
    if (verb === 'show') {
      const values = { Timezone: 'Etc/UTC', LocalRTC: 'no', CanNTP: 'yes', NTP: 'yes', NTPSynchronized: 'yes' };
      for (const [name, value] of Object.entries(values)) {
        if (options.has('p') && !options.values('p').includes(name)) continue;
        tool.out(options.has('value') ? `${value}\n` : `${name}=${value}\n`);
      }
      return 0;
    }
    if (/^(?:set-|list-|timesync|show-|ntp-|revert)/.test(verb))
      throw new ToolFailure(`${verb} is not simulated here: a node's clock and time zone are the cluster's.`);
    throw new ToolFailure(`Unknown command verb '${verb}'.`);
  },
  { usage: '[OPTIONS...] COMMAND ...', version: VERSION },
);
