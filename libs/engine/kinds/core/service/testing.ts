import type { Service } from '../../../api/core_v1.js';
import type { WriteContext } from '../../../machinery/client.js';
import type { Key } from '../../../machinery/meta/object.js';
import { context, make, makeWithDefaults } from '../../testing.js';
import { kind as serviceCIDRs } from '../../networking/servicecidr/kind.js';
import { kind } from './kind.js';

export type ServiceSpec = Partial<Service['spec']>;

const CIDR = { metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/12', 'fd00:10:96::/112'] } };

/** A context in which these Services exist, in a cluster of both families. */
export const contextWith = (...services: Service[]): WriteContext =>
  ({
    ...context,
    read: {
      get: (of: unknown, { name }: Key) =>
        of === serviceCIDRs
          ? CIDR
          : of === kind
            ? services.find((service) => service.metadata.name === name)
            : undefined,
      list: (of: unknown) => (of === serviceCIDRs ? [CIDR] : services),
      byIndex: (_: unknown, index: string, value: string) =>
        services.filter((service) => kind.indexes![index]!(service).includes(value)),
    },
  }) as unknown as WriteContext;

/** A Service as it is stored: with defaults, addresses and node ports. */
export function createService(spec: ServiceSpec, existing: readonly Service[] = [], name = 'web'): Service {
  const service = makeWithDefaults(kind, { metadata: { name, namespace: 'default' }, spec });
  kind.prepareForCreate!(service, contextWith(...existing));
  return service;
}

export function updateService(old: Service, spec: ServiceSpec): Service {
  const service: Service = make(kind, { ...old, spec });
  kind.defaults!(service);
  kind.prepareForUpdate!(service, old, contextWith(old));
  return service;
}

/** The errors of a new Service beside these. */
export const serviceErrors = (spec: ServiceSpec, ...existing: Service[]): string[] =>
  kind.validate!(createService(spec, existing), contextWith(...existing)).map((error) => error.message);

/** The errors of a change, without those of the new Service itself. */
export const serviceUpdateErrors = (old: Service, spec: ServiceSpec): string[] =>
  kind.validateUpdate!(updateService(old, spec), old, contextWith(old)).map((error) => error.message);

/** Every error of a change. */
export function allServiceUpdateErrors(old: Service, spec: ServiceSpec): string[] {
  const errors = kind.validate!(updateService(old, spec), contextWith(old)).map((error) => error.message);
  return [...errors, ...serviceUpdateErrors(old, spec)];
}
