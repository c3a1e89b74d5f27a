import { SELECT } from '../../flags/groups.js';
import { queryOf, scopeOf } from '../../discovery/targets.js';
import { formatRows } from '../../output/tabwriter.js';
import { ApiFailure, KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { type Command, type CommandGroup } from '../command.js';
import { bytesOfQuantity, milliCores } from '../../describe/parts/quantity.js';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const MIB = 1 << 20;
const FLAGS = [
  ...SELECT,
  'no-headers',
  'sort-by:',
  'containers',
  'sum',
  'show-capacity',
  'use-protocol-buffers',
  'show-swap',
];

interface Usage {
  readonly cpu?: string;
  readonly memory?: string;
}

function requireMetrics(session: Session): void {
  if (!session.resources.some(({ group }) => group === 'metrics.k8s.io'))
    throw new KubectlFailure('Metrics API not available');
}

function listMetrics(session: Session, path: string): readonly ApiObject[] {
  try {
    const found = session.get(path);
    return Array.isArray(found['items']) ? (found['items'] as ApiObject[]) : [found];
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 503) throw new KubectlFailure('Metrics API not available');
    throw error;
  }
}

type Row = { readonly cells: readonly string[]; readonly cpu: number; readonly memory: number };

function print(session: Session, header: readonly string[], rows: Row[]): void {
  const by = session.flags.value('sort-by');
  if (by !== '' && by !== 'cpu' && by !== 'memory') throw new KubectlFailure(`--sort-by accepts only cpu or memory`);
  if (by !== '') rows.sort((a, b) => (by === 'cpu' ? b.cpu - a.cpu : b.memory - a.memory));
  const cells = rows.map((row) => row.cells);
  session.out(formatRows(session.flags.isOn('no-headers') ? cells : [header, ...cells]));
}

const pods: Command = {
  flags: FLAGS,
  run(session) {
    requireMetrics(session);
    const { flags, args } = session;
    const namespace = scopeOf(session);
    const base = `${METRICS}${namespace === '' ? '' : `/namespaces/${namespace}`}/pods`;
    const found = listMetrics(session, args[0] === undefined ? base + queryOf(session) : `${base}/${args[0]}`);
    if (found.length === 0)
      return void session.err(
        namespace === '' ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`,
      );
    const rows = found.flatMap((pod): Row[] => {
      const containers = (pod['containers'] ?? []) as readonly { readonly name: string; readonly usage: Usage }[];
      const { namespace: own = '', name = '' } = pod.metadata ?? {};
      const row = (words: readonly string[], usages: readonly Usage[]): Row => {
        const cpu = usages.reduce((sum, one) => sum + milliCores(one.cpu), 0);
        const memory = usages.reduce((sum, one) => sum + bytesOfQuantity(one.memory), 0);
        const cells = [
          ...(flags.isOn('all-namespaces') ? [own] : []),
          ...words,
          `${Math.ceil(cpu)}m`,
          `${Math.floor(memory / MIB)}Mi`,
        ];
        return { cells, cpu, memory };
      };
      if (flags.isOn('containers')) return containers.map((one) => row([name, one.name], [one.usage]));
      return [
        row(
          [name],
          containers.map(({ usage }) => usage),
        ),
      ];
    });
    const header = [
      ...(flags.isOn('all-namespaces') ? ['NAMESPACE'] : []),
      ...(flags.isOn('containers') ? ['POD', 'NAME'] : ['NAME']),
      ...['CPU(cores)', 'MEMORY(bytes)'],
    ];
    print(session, header, rows);
  },
};

const nodes: Command = {
  flags: FLAGS,
  run(session) {
    requireMetrics(session);
    const { args } = session;
    const found = listMetrics(session, `${METRICS}/nodes${args[0] === undefined ? queryOf(session) : `/${args[0]}`}`);
    const all = session.get('/api/v1/nodes');
    const rows = found.map((metric): Row => {
      const name = metric.metadata?.name ?? '';
      const node = (all['items'] as ApiObject[]).find(({ metadata }) => metadata?.name === name);
      const status = (node?.['status'] ?? {}) as { allocatable?: Usage; capacity?: Usage };
      const most = session.flags.isOn('show-capacity') ? status.capacity : status.allocatable;
      const usage = (metric['usage'] ?? {}) as Usage;
      const [cpu, memory] = [milliCores(usage.cpu), bytesOfQuantity(usage.memory)];
      const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.floor((part * 100) / whole)}%`;
      const cells = [
        ...[name, `${Math.ceil(cpu)}m`, percent(cpu, milliCores(most?.cpu))],
        ...[`${Math.floor(memory / MIB)}Mi`, percent(memory, bytesOfQuantity(most?.memory))],
      ];
      return { cells, cpu, memory };
    });
    print(session, ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'], rows);
  },
};

export const group: CommandGroup = {
  commands: {
    'top pod': pods,
    'top pods': pods,
    'top po': pods,
    'top node': nodes,
    'top nodes': nodes,
    'top no': nodes,
  },
};
