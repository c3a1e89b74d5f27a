import type { Program } from '../../../engine/kernel/process/program.js';
import { rabbitmq } from './server.js';
import { amqpTools } from './tools/amqp-tools.js';
import { rabbitmqctl } from './tools/rabbitmqctl.js';

/** RabbitMQ: a broker of AMQP 0-9-1 with its tools, and those of the package amqp-tools. */
export const programs: Readonly<Record<string, Program>> = {
  'rabbitmq:rabbitmq-server': rabbitmq,
  'rabbitmq:rabbitmqctl': rabbitmqctl,
  ...amqpTools,
};
