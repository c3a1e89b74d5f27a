import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes NestJS's own messages through pino, those of a start at level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ rest }, String(message));
  }
  warn(message: unknown): void {
    this.logger.warn(String(message));
  }
  debug(message: unknown): void {
    this.logger.debug(String(message));
  }
  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }
}
