export { Activity, type ActivityBatch, type Reconcile } from './activity/activity.js';
export { PostgresActivityChannel, RedisActivityChannel, type ActivityChannel } from './activity/activity-channel.js';
export { ActivityStream } from './activity/activity-stream.js';
export { ClusterHost, type HostOptions } from './host.js';
export { LIMITS, type Limits } from './limits.js';
export {
  Metrics,
  type Measurement,
  type MetricsRecorder,
  type ReconcileOutcome,
  type RefusalReason,
} from './metrics.js';
export type { ClusterEngine, Progress } from './clusters/cluster-engine.js';
export type { AdvanceResult } from './clusters/component-runner.js';
export { Past, type PastState } from './past/past.js';
export { parsePoint, type PastPoint, type PointQuery } from './past/point.js';
export { decodeCheckpoint, encodeCheckpoint } from './clusters/checkpoint-codec.js';
export { postJson } from './egress/post-json.js';
export { FairQueue } from './gate/fair-queue.js';
export { Pacer } from './gate/pacer.js';
export { FlowQueue } from './gate/flow-queue.js';
export { LoopTurns } from './gate/loop-turns.js';
export { ThreadShare } from './gate/thread-share.js';
export { traceChild, type SpanAttributes, type Tracer } from './tracer.js';
export { requestHeaders } from './gate/request-headers.js';
export { refuseOnSocket, respondOnSocket } from './gate/respond-on-socket.js';
export { clusterNotFound, serviceUnavailable, statusResponse, tooManyRequests } from './gate/status-responses.js';
export { MemoryAnnouncements, type Announcement, type Announcer } from './log/announce/announcer.js';
export { PostgresAnnouncer } from './log/announce/postgres.js';
export { RedisAnnouncer } from './log/announce/redis.js';
export type { EndReason, FrameListener, Listener } from './watch/broadcaster.js';
export type { Frame } from './watch/frames.js';
export { FrameStream } from './watch/frame-stream.js';
export { SESSION_LIMITS, type SessionLimits } from './exec/session-limits.js';
export { ContainerSession, type SessionEnd } from './exec/container-session.js';
export { readProxied, respondWith, type Proxied } from './exec/proxied/serve-proxied.js';
export { type Command } from './exec/commands/command-streams.js';
export type { SessionLink, SessionListener, SessionReading } from './exec/session-link.js';
export type { Handshake } from './exec/upgrades/handshake.js';
export {
  acceptFrames,
  acceptLog,
  acceptPortForward,
  acceptSession,
  acceptTerminal,
  authorizeByProtocol,
} from './exec/websocket/websocket.js';
export type { ReadTenantLimits, TenantLimits } from './tenant-limits.js';
