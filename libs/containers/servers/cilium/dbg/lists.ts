import type { CiliumView, EndpointView } from '../../../../engine/node/cni/cilium/view.js';
import { columns } from './columns.js';
import { RESERVED_LABELS } from './state.js';

const onOff = (is: boolean): string => (is ? 'Enabled' : 'Disabled');

/** Models cilium-dbg/cmd/service_list.go. `hasProtocol`: since 1.17 a frontend shows it. */
export function listServices({ services }: CiliumView, hasProtocol: boolean): string {
  const rows = services.flatMap(({ id, address, port, protocol, type, backends }): string[][] => {
    const front = `${address}:${port}${hasProtocol ? `/${protocol}` : ''}`;
    const ends = backends.map(
      (one, i) => `${i + 1} => ${one.address}:${one.port}${hasProtocol ? `/${protocol}` : ''} (${one.state})`,
    );
    const [first = '', ...others] = ends;
    return [[String(id), front, type, first], ...others.map((text) => ['', '', '', text])];
  });
  return columns([['ID', 'Frontend', 'Service Type', 'Backend'], ...rows]);
}

/** Models cilium-dbg/cmd/bpf_lb_list.go. */
export function listBalancers({ services }: CiliumView): string {
  const rows = services.flatMap(({ id, address, port, protocol, type, affinity, backends }): string[][] => {
    const front = `${address}:${port}/${protocol}`;
    const flags = [
      type,
      ...(type === 'ClusterIP' ? ['non-routable'] : []),
      ...(affinity ? ['sessionAffinity'] : []),
    ].join(', ');
    return [
      [`${front} (0)`, `0.0.0.0:0 (${id}) (0) [${flags}]`],
      ...backends.map((one, i) => [`${front} (${i + 1})`, `${one.address}:${one.port}/${protocol} (${id}) (${i + 1})`]),
    ];
  });
  return columns([['SERVICE ADDRESS', 'BACKEND ADDRESS (REVNAT_ID) (SLOT)'], ...rows]);
}

/** Those of the node itself and of its health check, which are no pods. */
const ownEndpoints = ({ health }: CiliumView): EndpointView[] => [
  { id: 67, identity: 1, labels: ['reserved:host'], ipv4: '', pod: '', ingress: false, egress: false },
  { id: 4_095, identity: 4, labels: ['reserved:health'], ipv4: health, pod: '', ingress: false, egress: false },
];

export const endpointsOf = (view: CiliumView): readonly EndpointView[] =>
  [...ownEndpoints(view), ...view.endpoints].sort((a, b) => a.id - b.id);

/** Models cilium-dbg/cmd/endpoint_list.go. */
export function listEndpoints(view: CiliumView): string {
  const rows = endpointsOf(view).flatMap(({ id, identity, labels, ipv4, ingress, egress }): string[][] => {
    const [first = '', ...others] = labels;
    return [
      [String(id), onOff(ingress), onOff(egress), String(identity), first, '', ipv4, 'ready'],
      ...others.map((label) => ['', '', '', '', label, '', '', '']),
    ];
  });
  const head = ['ENDPOINT', 'POLICY (ingress)', 'POLICY (egress)', 'IDENTITY', 'LABELS (source:key[=value])', 'IPv6'];
  return columns([[...head, 'IPv4', 'STATUS'], ['', 'ENFORCEMENT', 'ENFORCEMENT', '', '', '', '', ''], ...rows]);
}

/** Models cilium-dbg/cmd/identity_list.go. */
export function listIdentities({ identities }: CiliumView): string {
  const own = [...identities].sort((a, b) => a.id - b.id).map(({ id, labels }) => [id, labels] as const);
  const rows = [...RESERVED_LABELS, ...own].flatMap(([id, labels]): string[][] => {
    const [first = '', ...others] = labels;
    return [[String(id), first], ...others.map((label) => ['', label])];
  });
  return columns([['ID', 'LABELS'], ...rows]);
}

/** Who has which address. Models cilium-dbg/cmd/bpf_ipcache_list.go. */
export function listAddresses(view: CiliumView): string {
  const rows = [
    ...Object.entries(view.addresses).map(([ip, { identity }]): [string, number, string] => {
      const node = view.nodes.find(({ range }) => range !== '' && isIn(ip, range));
      return [`${ip}/32`, identity, node && node.name !== view.node ? node.address : '0.0.0.0'];
    }),
    ...view.nodes.flatMap(({ name, address, router, health }): [string, number, string][] => {
      const [id, end] = name === view.node ? [1, '0.0.0.0'] : [6, address];
      return [
        [`${address}/32`, id, '0.0.0.0'],
        [`${router}/32`, id, end],
        [`${health}/32`, 4, end],
      ];
    }),
    ['0.0.0.0/0', 2, '0.0.0.0'] as const,
  ];
  const lines = rows.map(([prefix, id, tunnel]) => [
    prefix,
    `identity=${id} encryptkey=0 tunnelendpoint=${tunnel} flags=${tunnel === '0.0.0.0' ? '<none>' : 'hastunnel'}`,
  ]);
  return columns([['IP PREFIX/ADDRESS', 'IDENTITY'], ...lines.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))]);
}

/** By the parts of a /24, /16 or /8, or of any other length. */
function isIn(ip: string, cidr: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  const number = (text: string): number => text.split('.').reduce((n, part) => n * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return Math.floor(number(ip) / size) === Math.floor(number(base) / size);
}
