export { base64Fault, decodeBase64, encodeBase64 } from './base64.js';
export * from './decode.js';
export * from './definitions.js';
export { decodeProtobuf, decodeMessage, encodeMessage, encodeProtobuf, encodeWatchFrame, type Envelope } from './protobuf.js';
export { openApiV2 } from './openapi-v2.js';
export { openApiV3, openApiV3Index, type OpenApiGroupVersion } from './openapi-v3.js';
export { encodeOpenApiV2, OPENAPI_V2_PROTO_ACCEPT, OPENAPI_V2_PROTO_TYPE } from './openapi-proto.js';
