import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { ClusterClocks } from '../../graphql/clock/cluster-clocks.js';

const FORBIDDEN = { description: 'The cluster’s own rules do not let the caller do it.' };
const INVALID = { description: 'What is asked for is not understood.' };
const ADVANCE = { standardSchema: nouns.Advance, description: 'The Advance, as it is now.' };

/** How the time of a cluster runs: docs/CLOCK.md. */
@Controller('v1/clusters/:id/clock')
@UseGuards(ClusterGuard)
export class ClockRoutes {
  constructor(private readonly clocks: ClusterClocks) {}

  @Get()
  @ApiOperation({ operationId: 'getClock', summary: 'How a cluster’s time runs, and what lets it go on' })
  @ApiOkResponse({ standardSchema: nouns.Clock, description: 'The clock.' })
  async get(@CurrentRequest() context: RequestContext, @Param('id') id: string): Promise<nouns.Clock> {
    return this.clocks.read(context, id);
  }

  @Patch()
  @ApiOperation({ operationId: 'updateClock', summary: 'Let a cluster’s time run faster, slower, or not at all' })
  @ApiOkResponse({ standardSchema: nouns.Clock, description: 'The clock.' })
  @ApiForbiddenResponse(FORBIDDEN)
  async update(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.ClockPatch }) patch: nouns.ClockPatch,
  ): Promise<nouns.Clock> {
    return this.clocks.update(context, id, patch);
  }

  @Post('advances')
  @ApiOperation({ operationId: 'advanceClock', summary: 'Let time go on by a duration, to a time, or until it holds' })
  @ApiCreatedResponse(ADVANCE)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiUnprocessableEntityResponse(INVALID)
  async advance(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.NewAdvance }) advance: nouns.NewAdvance,
  ): Promise<nouns.Advance> {
    return this.clocks.advance(context, id, advance);
  }

  @Get('advances/:name')
  @ApiOperation({ operationId: 'getAdvance', summary: 'How far an Advance is' })
  @ApiOkResponse(ADVANCE)
  async find(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<nouns.Advance> {
    return this.clocks.find(context, id, name);
  }

  @Delete('advances/:name')
  @ApiOperation({ operationId: 'cancelAdvance', summary: 'Give an Advance up: time runs by the clock from here on' })
  @ApiNoContentResponse({ description: 'There is none of this name any more.' })
  @HttpCode(204)
  async cancel(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<void> {
    await this.clocks.cancel(context, id, name);
  }

  @Post('step')
  @HttpCode(200)
  @ApiOperation({ operationId: 'stepClock', summary: 'Run reconciles one at a time: what they did, what runs next' })
  @ApiOkResponse(ADVANCE)
  @ApiForbiddenResponse(FORBIDDEN)
  async step(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.NewSteps }) steps: nouns.NewSteps,
  ): Promise<nouns.Advance> {
    return this.clocks.step(context, id, steps);
  }
}
