import { kafkaImage } from '../kafka/broker-image.js';

/** Kafka as Bitnami publishes it: variables begin with KAFKA_CFG_. */
export const image = kafkaImage(
  ['bitnami/kafka'],
  'bitnami',
  /^(latest|[234](\.\d{1,2}){0,2})(-[a-z0-9.-]+)?$/,
  [28.1, 92.3, 145.2],
);
