import type { Authorization, Order, Solver } from '../resources.js';

const OVERRIDE = 'acme.cert-manager.io/http01-override-ingress-';

/** The solver that is closest to a name: by labels, by the name itself, by its zone. Models solverpicker. */
export function pickSolver(
  solvers: readonly Solver[],
  order: Order,
  { identifier, wildcard, challenges }: Authorization,
): { readonly solver: Solver; readonly challenge: Authorization['challenges'][number] } | undefined {
  const name = wildcard ? `*.${identifier}` : identifier;
  const found = solvers.flatMap((solver) => {
    const type = solver.http01 ? 'http-01' : 'dns-01';
    const challenge = challenges.find((one) => one.type === type);
    const rank = challenge && rankOf(solver, order, name);
    return challenge && rank ? [{ solver, challenge, rank }] : [];
  });
  const best = found.reduce<(typeof found)[number] | undefined>(
    (before, one) => (before && compare(before.rank, one.rank) >= 0 ? before : one),
    undefined,
  );
  return best && { solver: overridden(best.solver, order), challenge: best.challenge };
}

type Rank = readonly [named: number, zone: number, labels: number];
const compare = (a: Rank, b: Rank): number => a.map((value, i) => value - b[i]!).find((one) => one !== 0) ?? 0;

/** Undefined: its selector is not for this name. */
function rankOf({ selector = {} }: Solver, { metadata }: Order, name: string): Rank | undefined {
  const { dnsNames = [], dnsZones = [], matchLabels = {} } = selector;
  const labels = Object.entries(matchLabels);
  if (labels.some(([key, value]) => metadata.labels?.[key] !== value)) return undefined;
  if (dnsNames.length > 0 && !dnsNames.includes(name)) return undefined;
  const zones = dnsZones.filter((zone) => name === zone || name.endsWith(`.${zone}`));
  if (dnsZones.length > 0 && zones.length === 0) return undefined;
  const longest = Math.max(0, ...zones.map((zone) => zone.split('.').length));
  return [dnsNames.length > 0 ? 1 : 0, longest, labels.length];
}

/** Annotations of the Certificate say of which class the Ingress is. */
function overridden(solver: Solver, { metadata }: Order): Solver {
  const { ingress } = solver.http01 ?? {};
  const of = (name: string): string | undefined => metadata.annotations?.[OVERRIDE + name];
  const [name, className, ingressClassName] = [of('name'), of('class'), of('ingressclassname')];
  if (!ingress || (!name && !className && !ingressClassName)) return solver;
  const { class: _class, ingressClassName: _name, name: _own, ...rest } = ingress;
  return {
    ...solver,
    http01: {
      ...solver.http01,
      ingress: {
        ...rest,
        ...(className ? { class: className } : {}),
        ...(ingressClassName ? { ingressClassName } : {}),
        ...(name ? { name } : {}),
      },
    },
  };
}
