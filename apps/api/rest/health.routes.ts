import { Controller, Get, Inject, NotFoundException, Res, ServiceUnavailableException } from '@nestjs/common';
import { Readiness, SETTINGS, type Settings } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';

/** Health and metrics of this process; they say nothing about any tenant. */
@Controller()
export class HealthRoutes {
  constructor(
    private readonly readiness: Readiness,
    private readonly registry: Registry,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'observabilityPort'>,
  ) {}

  /** Alive: the event loop turns. */
  @Get('healthz')
  healthz(): string {
    return 'ok';
  }

  /** Ready: has started, does not end, and the database answers. */
  @Get('readyz')
  async readyz(): Promise<string> {
    const problem = await this.readiness.problem();
    if (problem !== undefined) throw new ServiceUnavailableException(problem);
    return 'ok';
  }

  /** Not where clients come, when there is a port for it that they do not reach. */
  @Get('metrics')
  async metrics(@Res({ passthrough: true }) reply: Pick<FastifyReply, 'type'>): Promise<string> {
    if (this.settings.observabilityPort !== undefined) throw new NotFoundException('metrics have a port of their own');
    void reply.type(this.registry.contentType);
    return this.registry.metrics();
  }
}
