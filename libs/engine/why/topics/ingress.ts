import type { Ingress, IngressBackend } from '../../api/networking_v1.js';
import { IngressClasses, Services } from '../../kinds/index.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, MAX_DEPTH, unique, type Topic, type World } from '../world.js';
import { serviceTopic } from './services/service.js';

/** Why an Ingress leads nowhere. */
export const ingressTopic: Topic<Ingress> = (world, ingress, depth) => {
  const backends = backendsOf(ingress).flatMap((backend) => backendFindings(world, ingress, backend, depth));
  return [...classFindings(world, ingress), ...unique(backends)];
};

function classFindings({ read }: World, ingress: Ingress): WhyFinding[] {
  const annotated = ingress.metadata.annotations?.['kubernetes.io/ingress.class'];
  const name = ingress.spec.ingressClassName ?? annotated;
  const classes = read.list(IngressClasses);
  const known = classes.map(({ metadata }) => metadata.name).join(', ');
  const there = known ? `there is ${known}` : 'there is none';
  if (!name)
    return [findingOf(ingress, 'NoIngressClass', `it names no ingress class, and no class is the default: ${there}`)];
  const found = classes.some(({ metadata }) => metadata.name === name);
  if (!found && !annotated)
    return [findingOf(ingress, 'NoIngressClass', `ingress class "${name}" is not there: ${there}`)];
  if (ingress.status?.loadBalancer?.ingress?.length) return [];
  return [findingOf(ingress, 'NoAddress', `no controller of class "${name}" has taken it: it has no address yet`)];
}

const backendsOf = ({ spec }: Ingress): IngressBackend[] => [
  ...(spec.defaultBackend ? [spec.defaultBackend] : []),
  ...(spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend)),
];

function backendFindings(world: World, ingress: Ingress, { service }: IngressBackend, depth: number): WhyFinding[] {
  if (!service || depth >= MAX_DEPTH) return [];
  const namespace = ingress.metadata.namespace ?? '';
  const found = world.read.get(Services, { namespace, name: service.name });
  if (!found) return [findingOf(ingress, 'NoBackend', `its backend service ${namespace}/${service.name} is not there`)];
  const { name, number } = service.port ?? {};
  const port = found.spec.ports?.find((one) => (name === undefined ? one.port === number : one.name === name));
  if (!port && found.spec.type !== 'ExternalName') {
    const has = (found.spec.ports ?? []).map((one) => (one.name ? `${one.port} (${one.name})` : one.port)).join(', ');
    const message = `its backend service ${namespace}/${service.name} has no port ${name ?? number}: it has ${has}`;
    return [findingOf(ingress, 'NoBackend', message)];
  }
  return serviceTopic(world, found, depth + 1);
}
