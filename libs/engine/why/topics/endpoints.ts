import type { Endpoints } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { Services } from '../../kinds/index.js';
import { findingOf, refText, type Topic } from '../world.js';
import { serviceTopic } from './services/service.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** Why the list of a Service's endpoints is as it is: what is wrong with the Service. */
export const endpointsTopic: Topic<Endpoints> = (world, endpoints, depth) => {
  const { namespace = '', name = '' } = endpoints.metadata;
  const service = world.read.get(Services, { namespace, name });
  return service ? serviceTopic(world, service, depth + 1) : [noService(endpoints, name)];
};

export const endpointSliceTopic: Topic<EndpointSlice> = (world, slice, depth) => {
  const { namespace = '', labels = {} } = slice.metadata;
  const name = labels[SERVICE_NAME];
  if (name === undefined) {
    const message = `it has no label ${SERVICE_NAME}, so that it belongs to no Service`;
    return [findingOf(slice, 'NoService', message)];
  }
  const service = world.read.get(Services, { namespace, name });
  return service ? serviceTopic(world, service, depth + 1) : [noService(slice, name)];
};

const noService = (object: Endpoints | EndpointSlice, name: string) =>
  findingOf(object, 'NoService', `there is no ${refText('service', object.metadata.namespace ?? '', name)}`);
