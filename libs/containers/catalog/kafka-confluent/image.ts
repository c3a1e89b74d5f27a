import { kafkaImage } from '../kafka/broker-image.js';

/** Kafka as Confluent publishes it: its tools have no ending. */
export const image = kafkaImage(
  ['confluentinc/cp-kafka'],
  'confluent',
  /^(latest|[5-8]\.\d{1,2}\.\d{1,2})([-.][a-z0-9.-]+)?$/,
  [97.4, 39.8, 280.2, 106.7],
);
