export * from './decode/decode.js';
export * from './facts/definitions.js';
export {
  decodeProtobuf,
  decodeMessage,
  encodeMessage,
  encodeProtobuf,
  encodeProtobufList,
  encodeWatchFrame,
  type Envelope,
} from './decode/protobuf.js';
export { openApiV2 } from './openapi/v2.js';
export { openApiV3, openApiV3Index, type OpenApiGroupVersion } from './openapi/v3.js';
export { encodeOpenApiV2, OPENAPI_V2_PROTO_ACCEPT, OPENAPI_V2_PROTO_TYPE } from './openapi/proto.js';
export { fieldsType } from './facts/fields-type.js';
export { parseYaml } from './decode/yaml.js';
export { JsonSyntaxError, scanJson } from './decode/json-scan.js';
