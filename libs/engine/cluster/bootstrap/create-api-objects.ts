import { APIServices, FlowSchemas, kinds, PriorityLevelConfigurations } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { apiServices } from './api-services.js';
import { flowSchemas, priorityLevels, setNotDangling } from './flowcontrol.js';

/** Creates these objects, and what an API server makes beside them when its etcd is empty. */
export function createApiObjects(client: Client, objects: readonly KubeObject[], now: Millis): void {
  for (const object of objects) createIfMissing(client, object);
  for (const level of priorityLevels()) client.create(PriorityLevelConfigurations, level);
  for (const schema of flowSchemas())
    client.updateStatus(FlowSchemas, setNotDangling(client.create(FlowSchemas, schema), timestamp(now)));
  for (const service of apiServices(kinds)) client.create(APIServices, service);
}

/** Creates an object of any kind; one that a controller has made already stays as it is. */
export function createIfMissing(client: Client, object: KubeObject): void {
  const kind = client.kindFor(object.apiVersion, object.kind);
  if (!kind) throw new Error(`no kind ${object.apiVersion} ${object.kind}`);
  try {
    client.create(kind, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
}
