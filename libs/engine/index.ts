/** The engine: one Kubernetes cluster as a pure function over an append-only log. */
export * from './cluster/index.js';
export { COREFILE } from './cluster/bootstrap/corefile.js';
export { describeRequest, type RequestDescription, type RequestInfo } from './apiserver/index.js';
export type { Change } from './machinery/change.js';
export type { Client, Reader, User } from './machinery/client.js';
export type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  BodyResponse,
  OutsideAnswer,
  OutsideCall,
  OutsideRecord,
  OutsideResponse,
  PodHttpAnswer,
  PodHttpRequest,
  PortForwardResponse,
  ProxiedResponse,
  SessionResponse,
  StreamResponse,
  WatchResponse,
} from './machinery/requests/http.js';
export {
  changedMetadata,
  historyKey,
  isBehind,
  matchesFilter,
  matchesVerb,
  pastChangeOf,
  summarize,
  typedLinesOf,
  type ChangeFilter,
  type HistoryAnswer,
  type HistoryQuery,
  type PastChange,
} from './machinery/past-change.js';
export { isRefusedConnection } from './machinery/requests/refused.js';
export { milliValue, quantityValue } from './machinery/quantity/quantity.js';
export { parseBootstrapToken } from './kinds/core/secret/bootstrap-token.js';
export { summarizePod } from './kinds/core/pod/table.js';
export { podRequests } from './scheduler/cache/resources.js';
export { faultTypes, type FaultType } from './faults/index.js';
export type {
  OpenedPort,
  OpenedSession,
  PodReference,
  SessionAnswer,
  SessionInput,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
  StreamOptions,
  TerminalSize,
} from './machinery/requests/sessions.js';
export { defineKind, storageKey, type Kind } from './machinery/kind.js';
export { isObject, type Key, type KubeObject, type Unstructured } from './machinery/meta/object.js';
export { ApiError } from './machinery/meta/status.js';
export { isLabelValue, isQualifiedName } from './machinery/meta/validation.js';
export * as x509 from './machinery/crypto/x509/index.js';
export { authorityKey, ClusterKeys, tokenKey } from './machinery/crypto/cluster-keys.js';
export { SigningKey } from './machinery/crypto/signing-key.js';
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
  podNameOf,
  type Image,
  type ImageCatalog,
  type ImageConfig,
  type LogLine,
  type Process,
  type Pullable,
  type Start,
} from './node/index.js';
export * as kernel from './kernel/index.js';
export type { FileNode, ImageFiles } from './kernel/files/file.js';
export type { Program, Programs } from './kernel/process/program.js';
