type Fields = Readonly<Record<string, unknown>>;

/** A peer as BIRD has it: 'Mesh_172_18_0_3'. */
export interface BirdPeer {
  readonly kind: 'Mesh' | 'Global' | 'Node';
  readonly address: string;
  /** 'up', 'start'. */
  readonly state: string;
  readonly info: string;
}

export interface BirdView {
  readonly node: string;
  /** Calico's nodes with the addresses that they speak from. */
  readonly nodes: readonly { readonly name: string; readonly ip: string; readonly labels: Fields }[];
  /** Specs of BGPPeers. */
  readonly peers: readonly Fields[];
  /** The spec of the BGPConfiguration `default`. */
  readonly configuration: Fields;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Whom a node speaks BGP with: every other one, unless the mesh is off, and those that BGPPeers name. A peer that is a
 * node of the cluster answers; outside there is nobody. Models confd's bird templates.
 */
export function birdPeers({ node, nodes, peers, configuration }: BirdView): BirdPeer[] {
  const own = nodes.find(({ name }) => name === node);
  if (!own) return [];
  const others = nodes.filter(({ name }) => name !== node);
  const mesh = configuration['nodeToNodeMeshEnabled'] === false ? [] : others;
  const up = { state: 'up', info: 'Established' };
  const down = { state: 'start', info: 'Connect' };
  return [
    ...mesh.map(({ ip }): BirdPeer => ({ kind: 'Mesh', address: ip, ...up })),
    ...peers.flatMap((peer): BirdPeer[] => {
      const isGlobal = textOf(peer['node']) === '' && textOf(peer['nodeSelector']) === '';
      const isOwn = isGlobal || peer['node'] === node || selects(textOf(peer['nodeSelector']), own.labels);
      if (!isOwn) return [];
      const named = textOf(peer['peerIP']).split(':')[0] ?? '';
      const selector = textOf(peer['peerSelector']);
      const selected = selector === '' ? [] : others.filter(({ labels }) => selects(selector, labels));
      const kind = isGlobal ? 'Global' : 'Node';
      const found = selected.map(({ ip }): BirdPeer => ({ kind, address: ip, ...up }));
      if (named === '' || named === own.ip) return found;
      const isNode = others.some(({ ip }) => ip === named);
      return [...found, { kind, address: named, ...(isNode ? up : down) }];
    }),
  ];
}

/** `all()`, `KEY == 'VALUE'`, `KEY != 'VALUE'` and `has(KEY)`; others select nothing. */
function selects(selector: string, labels: Fields): boolean {
  const text = selector.trim();
  if (text === 'all()') return true;
  const [, key = '', isNot = '', value = ''] = /^([\w./-]+) *(=|!)= *["']([^"']*)["']$/.exec(text) ?? [];
  if (key !== '') return (labels[key] === value) === (isNot === '=');
  const [, name] = /^has\(([\w./-]+)\)$/.exec(text) ?? [];
  return name !== undefined && labels[name] !== undefined;
}

const KINDS = { Mesh: 'node-to-node mesh', Global: 'global', Node: 'node specific' } as const;

/** A row of `calicoctl node status`. */
export const statusRow = ({ address, info, kind, state }: BirdPeer, since: string): string[] => [
  ...[address, KINDS[kind], state, since, info],
];

/** `birdcl show protocols` of BIRD 1.6. */
export function showProtocols(peers: readonly BirdPeer[], since: string): string {
  const rows = [
    ...[
      ['static1', 'Static', 'up', ''],
      ['kernel1', 'Kernel', 'up', ''],
      ['device1', 'Device', 'up', ''],
      ['direct1', 'Direct', 'up', ''],
    ],
    ...peers.map(({ address, info, kind, state }) => [
      ...[`${kind}_${address.replaceAll('.', '_')}`, 'BGP', state, info],
    ]),
  ];
  const line = ([name = '', proto = '', state = '', info = '']: readonly string[], table: string, at: string): string =>
    `${name.padEnd(8)} ${proto.padEnd(8)} ${table.padEnd(8)} ${state.padEnd(6)} ${at.padEnd(11)} ${info}`;
  return [
    'BIRD v0.3.3+birdv1.6.8 ready.',
    line(['name', 'proto', 'state', 'info'], 'table', 'since'),
    ...rows.map((row) => line(row, 'master', since)),
    '',
  ].join('\n');
}
