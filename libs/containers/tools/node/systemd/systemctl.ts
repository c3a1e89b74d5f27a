import { formatShutdown, SHUTDOWN_FILE } from '../../../../engine/node/host/services/power.js';
import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseOptions } from '../../framework/options.js';
import { defineTool, type ToolContext, ToolFailure } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { addToJournal } from './journal.js';
import { edit, isInstallable, isMasked, mask, NO_INSTALL, unmask } from './unit-files.js';
import { printStatus } from './service-status.js';
import { readService, startService, stopService, unitsOn, wantsLink, type Service } from './services.js';

const OPTIONS = [
  ...['l,full', 'no-pager', 'q,quiet', 'n,lines:', 'o,output:', 'a,all', 't,type:', 'state:', 'no-legend', 'now'],
  ...[
    'plain',
    'failed',
    'drop-in:',
    's,signal:',
    'kill-whom:',
    'p,property:',
    'value',
    'no-block',
    'f,force',
    'system',
    'no-ask-password',
    'stdin',
    'runtime',
    'r,recursive',
    'after',
    'before',
    'reverse',
  ],
];
/** systemd's exit codes for what does not run and what is not known (LSB). */
const NOT_RUNNING = 3;
const UNKNOWN = 4;
const NOT_FOUND = 5;

/** Models systemd's systemctl for the services of a node. Left out: other units, and what depends on what. */
export const systemctl = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const [verb = 'list-units', ...units] = options.operands;
    const has = (name: string): boolean => options.has(name);
    switch (verb) {
      case 'list-units':
        return listUnits(tool, options.value('t'), options.value('state') ?? (has('failed') ? 'failed' : undefined), {
          hasLegend: !has('no-legend'),
        });
      case 'list-unit-files':
        return listUnitFiles(tool);
      case 'daemon-reload':
      case 'daemon-reexec':
      case 'reset-failed':
        requireRoot(tool.sys, 'reload daemon');
        return 0;
      case 'poweroff':
      case 'halt':
        return powerOff(tool, verb);
      case 'reboot':
        requireRoot(tool.sys, 'reboot system via logind');
        throw new ToolFailure(
          'reboot is not simulated here; poweroff is, and a service that is started brings the node back.',
        );
      case 'get-default':
        tool.out('multi-user.target\n');
        return 0;
      case 'list-jobs':
        tool.out('No jobs running.\n');
        return 0;
      case 'list-timers':
      case 'list-sockets':
        return listNone(tool, verb.slice('list-'.length));
      case 'is-system-running':
        tool.out('running\n');
        return 0;
    }
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!act) throw new ToolFailure(`Unknown command verb '${verb}'.`);
    if (units.length === 0 && verb === 'status') return printSystem(tool);
    if (units.length === 0) {
      tool.err('Too few arguments.\n');
      return 1;
    }
    if (verb === 'edit') return editUnit(tool, units, has('l'), has('stdin'));
    let code = 0;
    if (verb === 'show')
      return showUnits(
        tool,
        units,
        options.values('p').flatMap((list) => list.split(',')),
        has('value'),
      );
    for (const name of units) code = Math.max(code, act(tool, serviceNamed(tool, name), name, options.has('now')));
    return code;
  },
  { usage: '[OPTIONS...] COMMAND ...', version: 'systemd 257 (257.9-1~deb13u1)' },
);

type Act = (tool: ToolContext, service: Service | undefined, name: string, now: boolean) => number;

const VERBS: Readonly<Record<string, Act>> = {
  status(tool, service, name) {
    if (isMasked(tool.sys, fullName(name)) && service?.course !== 'running') return printMasked(tool, fullName(name));
    if (service) return printStatus(tool, service);
    tool.err(`Unit ${fullName(name)} could not be found.\n`);
    return UNKNOWN;
  },
  start: changing('start', (tool, service) => {
    if (service.state.isActive && service.course === 'running') return;
    startService(tool.sys, diskOf(tool.sys), service);
  }),
  stop: changing('stop', (tool, service) => {
    if (service.state.isActive) stopService(tool.sys, service);
  }),
  restart: changing('restart', (tool, service) => void startService(tool.sys, diskOf(tool.sys), service)),
  'reload-or-restart': changing('restart', (tool, service) => void startService(tool.sys, diskOf(tool.sys), service)),
  'try-restart': changing('restart', (tool, service) => {
    if (service.state.isActive) startService(tool.sys, diskOf(tool.sys), service);
  }),
  kill: changing('kill', (tool, service) => {
    // Both services are restarted by systemd when they are killed.
    if (service.state.isActive) startService(tool.sys, diskOf(tool.sys), service);
  }),
  enable: changing('enable', enable),
  disable: changing('disable', disable),
  'is-active'(tool, service) {
    const [word] = statesOf(service);
    tool.out(`${word}\n`);
    return word === 'active' ? 0 : service ? NOT_RUNNING : UNKNOWN;
  },
  'is-enabled'(tool, service, name) {
    if (!service) {
      tool.err(`Failed to get unit file state for ${fullName(name)}: No such file or directory\n`);
      return UNKNOWN;
    }
    if (isMasked(tool.sys, fullName(name))) {
      tool.out('masked\n');
      return 1;
    }
    tool.out(service.isEnabled ? 'enabled\n' : 'disabled\n');
    return service.isEnabled ? 0 : 1;
  },
  mask(tool, service, name, now) {
    requireRoot(tool.sys, 'mask unit');
    const code = mask(tool, fullName(name), service !== undefined);
    if (code === 0 && now && service?.state.isActive) stopService(tool.sys, service);
    return code;
  },
  unmask(tool, service, name) {
    requireRoot(tool.sys, 'unmask unit');
    return unmask(tool, fullName(name), service !== undefined);
  },
  reload(tool, service, name) {
    tool.err(
      `Failed to reload ${fullName(name)}: ${service ? 'Job type reload is not applicable for unit' : 'Unit'} ${fullName(name)}${service ? '.' : ' not found.'}\n`,
    );
    return service ? 1 : NOT_FOUND;
  },
  'list-dependencies'(tool, service, name) {
    if (!service) {
      tool.err(`Failed to get properties: Unit ${fullName(name)} not found.\n`);
      return 1;
    }
    tool.out(bytesOf(`${fullName(name)}\n● ├─system.slice\n● └─sysinit.target\n`));
    return 0;
  },
  'is-failed'(tool, service) {
    const [word] = statesOf(service);
    tool.out(`${word}\n`);
    return word === 'failed' ? 0 : 1;
  },
  cat(tool, service, name) {
    if (!service) {
      tool.err(`No files found for ${fullName(name)}.\n`);
      return 1;
    }
    const disk = diskOf(tool.sys);
    const parts = [service.file, ...service.dropIns].map((path) => `# ${path}\n${disk.read(path) ?? ''}`);
    tool.out(parts.join('\n'));
    return 0;
  },
  edit: () => 0,
  show: () => 0,
};

const listNone = (tool: ToolContext, what: string): number => {
  const head = what === 'timers' ? 'NEXT LEFT LAST PASSED UNIT ACTIVATES' : 'LISTEN UNIT ACTIVATES';
  tool.out(`${head}\n\n0 ${what} listed.\nPass --all to see loaded but inactive ${what}, too.\n`);
  return 0;
};

function printMasked(tool: ToolContext, name: string): number {
  tool.out(bytesOf(`○ ${name}\n     Loaded: masked (Reason: Unit ${name} is masked.)\n     Active: inactive (dead)\n`));
  return NOT_RUNNING;
}

function editUnit(tool: ToolContext, names: readonly string[], isFull: boolean, isStdin: boolean): number | Wait {
  const [name = ''] = names;
  if (names.length > 1) throw new ToolFailure('edit of several units at once is not simulated here.');
  requireRoot(tool.sys, `edit ${fullName(name)}`);
  const service = serviceNamed(tool, name);
  if (service) return edit(tool, service, isFull, isStdin);
  tool.err(
    `No files found for ${fullName(name)}.\nRun 'systemctl edit --force --full ${fullName(name)}' to create a new unit.\n`,
  );
  return 1;
}

function showUnits(
  tool: ToolContext,
  names: readonly string[],
  properties: readonly string[],
  isValueOnly: boolean,
): number {
  for (const name of names) {
    const service = serviceNamed(tool, name);
    const [active, sub] = statesOf(service);
    const isHidden = isMasked(tool.sys, fullName(name));
    const values = {
      Id: fullName(name),
      LoadState: isHidden ? 'masked' : service ? 'loaded' : 'not-found',
      ActiveState: active,
      SubState: sub,
      MainPID: service?.course === 'running' ? service.pid : 0,
      UnitFileState: isHidden ? 'masked' : service?.isEnabled ? 'enabled' : service ? 'disabled' : '',
      FragmentPath: service?.file ?? '',
      DropInPaths: service?.dropIns.join(' ') ?? '',
      Description: service?.description ?? fullName(name),
    };
    for (const [key, value] of Object.entries(values)) {
      if (properties.length > 0 && !properties.includes(key)) continue;
      tool.out(isValueOnly ? `${value}\n` : `${key}=${value}\n`);
    }
  }
  return 0;
}

/** The node goes down; its control plane's does not, whose cluster nobody could reach any more. */
function powerOff(tool: ToolContext, verb: string): number {
  requireRoot(tool.sys, `${verb === 'halt' ? 'halt' : 'power off'} system via logind`);
  if (diskOf(tool.sys).has('/etc/kubernetes/manifests/kube-apiserver.yaml'))
    throw new ToolFailure(`${verb} of a node of the control plane is not simulated here.`);
  writeFile(tool.sys, SHUTDOWN_FILE, formatShutdown(tool.sys.now));
  addToJournal(tool.sys, 'systemd-logind', 200, ['System is powering down.']);
  return 0;
}

/** A command that changes a service, and needs root and the unit. */
function changing(verb: string, act: (tool: ToolContext, service: Service, now: boolean) => void): Act {
  return (tool, service, name, now) => {
    const full = fullName(name);
    requireRoot(tool.sys, `${verb} ${full}`);
    if (!service) {
      tool.err(
        verb === 'enable' || verb === 'disable'
          ? `Failed to ${verb} unit: Unit ${full} does not exist\n`
          : `Failed to ${verb} ${full}: Unit ${full} not found.\n`,
      );
      return NOT_FOUND;
    }
    if (['start', 'restart', 'enable'].includes(verb) && isMasked(tool.sys, full)) {
      tool.err(`Failed to ${verb} ${verb === 'enable' ? 'unit' : full}: Unit ${full} is masked.\n`);
      return 1;
    }
    act(tool, service, now);
    return 0;
  };
}

function enable(tool: ToolContext, service: Service, now: boolean): void {
  if (!service.isEnabled && !isInstallable(diskOf(tool.sys).read(service.file) ?? '')) tool.err(bytesOf(NO_INSTALL));
  else if (!service.isEnabled) {
    tool.sys.symlink(service.file, wantsLink(service.unit));
    tool.err(bytesOf(`Created symlink '${wantsLink(service.unit)}' → '${service.file}'.\n`));
  }
  if (now && !service.state.isActive) startService(tool.sys, diskOf(tool.sys), service);
}

function disable(tool: ToolContext, service: Service, now: boolean): void {
  if (service.isEnabled) {
    tool.sys.unlink(wantsLink(service.unit));
    tool.err(`Removed '${wantsLink(service.unit)}'.\n`);
  }
  if (now && service.state.isActive) stopService(tool.sys, service);
}

const fullName = (name: string): string => (/\.[a-z]+$/.test(name) ? name : `${name}.service`);

function serviceNamed({ sys }: ToolContext, name: string): Service | undefined {
  const disk = diskOf(sys);
  const unit = unitsOn(disk).find((one) => `${one}.service` === fullName(name));
  return unit === undefined ? undefined : readService(sys, disk, unit);
}

function requireRoot(sys: Syscalls, what: string): void {
  if (sys.user !== 0) throw new ToolFailure(`Failed to ${what}: Access denied`, UNKNOWN);
}

function statesOf(service: Service | undefined): [active: string, sub: string] {
  switch (service?.course) {
    case 'running':
      return ['active', 'running'];
    case 'failing':
      return ['activating', 'auto-restart'];
    case 'failed':
      return ['failed', 'failed'];
    default:
      return ['inactive', 'dead'];
  }
}

function services({ sys }: ToolContext): Service[] {
  const disk = diskOf(sys);
  return unitsOn(disk).flatMap((unit) => readService(sys, disk, unit) ?? []);
}

const LEGEND = `
Legend: LOAD   → Reflects whether the unit definition was properly loaded.
        ACTIVE → The high-level unit activation state, i.e. generalization of SUB.
        SUB    → The low-level unit activation state, values depend on unit type.
`;

function listUnits(
  tool: ToolContext,
  type: string | undefined,
  state: string | undefined,
  { hasLegend }: { readonly hasLegend: boolean },
): number {
  const all = type === undefined || type.split(',').includes('service') ? services(tool) : [];
  const rows = all
    .map((service) => ({ service, states: statesOf(service) }))
    .filter(({ service, states }) => (state === undefined ? service.state.isActive : states.includes(state)))
    .map(({ service, states: [active, sub] }) => [
      `${service.unit}.service`,
      'loaded',
      active,
      sub,
      service.description,
    ]);
  const header = ['UNIT', 'LOAD', 'ACTIVE', 'SUB', 'DESCRIPTION'];
  printTable(tool, hasLegend ? header : undefined, rows);
  if (!hasLegend) return 0;
  if (rows.length > 0) tool.out(bytesOf(LEGEND));
  tool.out('\n');
  tool.out(`${rows.length} loaded units listed. Pass --all to see loaded but inactive units, too.\n`);
  tool.out("To show all installed unit files use 'systemctl list-unit-files'.\n");
  return 0;
}

function printTable(
  tool: ToolContext,
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): void {
  const widths = (header ?? rows[0] ?? []).map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]!.length)),
  );
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join(' ')}\n`;
  if (header) tool.out(line(header));
  for (const row of rows) tool.out(line(row));
}

function listUnitFiles(tool: ToolContext): number {
  const rows = services(tool).map((one) => [`${one.unit}.service`, one.isEnabled ? 'enabled ' : 'disabled', 'enabled']);
  const width = Math.max(9, ...rows.map(([name = '']) => name.length));
  tool.out(`${'UNIT FILE'.padEnd(width)} STATE    PRESET\n`);
  for (const [name = '', state = '', preset = ''] of rows) tool.out(`${name.padEnd(width)} ${state} ${preset}\n`);
  tool.out(`\n${rows.length} unit files listed.\n`);
  return 0;
}

function printSystem(tool: ToolContext): number {
  tool.out(
    `● ${tool.sys.hostname}\n    State: running\n    Units: ${services(tool).length} loaded (incl. loaded aliases)\n`,
  );
  return 0;
}
