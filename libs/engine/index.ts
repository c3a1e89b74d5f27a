/** The engine: one Kubernetes cluster as a pure function over an append-only log. */
export * from './cluster/index.js';
export type { Change } from './machinery/change.js';
export type { Client, Reader, User } from './machinery/client.js';
export type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  BodyResponse,
  CommandResult,
  ExecResponse,
  OutsideAnswer,
  OutsideCall,
  OutsideRecord,
  OutsideResponse,
  PodHttpAnswer,
  PodHttpRequest,
  StreamResponse,
  WatchResponse,
} from './machinery/http.js';
export { defineKind, storageKey, type Kind } from './machinery/kind.js';
export { isObject, type Key, type KubeObject, type Unstructured } from './machinery/meta/object.js';
export { ApiError } from './machinery/meta/status.js';
export * as x509 from './machinery/crypto/x509/index.js';
export { authorityKey, ClusterKeys, tokenKey } from './machinery/crypto/cluster-keys.js';
export { AssertionError } from './machinery/assert.js';
export * as selectors from './machinery/selectors/selectors.js';
export * as time from './machinery/time/time.js';
export {
  CustomResourceDefinitions,
  kinds,
  MutatingWebhookConfigurations,
  Secrets,
  ValidatingWebhookConfigurations,
} from './kinds/index.js';
export {
  makeCatalog,
  parseReference,
  podLogs,
  type CommandWorld,
  type Image,
  type ImageCatalog,
  type ImageConfig,
  type LogLine,
  type Process,
  type Pullable,
  type Start,
} from './node/index.js';
