import { kafkaImage } from './broker-image.js';

/** Kafka as its makers publish it. */
export const image = kafkaImage(
  ['apache/kafka'],
  'apache',
  /^(latest|3\.[7-9]\.\d{1,2}|4\.\d{1,2}\.\d{1,2})(-[a-z0-9.-]+)?$/,
  [3.8, 16.4, 140.3, 0.01, 131.5],
);
