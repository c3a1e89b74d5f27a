import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { LabSessions, nouns, Replays, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

const UNKNOWN = { description: 'The cluster is no learner’s, or its lab has no such step.' };

/** A learner's way through a lab. The same is in GraphQL, where a learner's token may ask for it. */
@Controller('v1/clusters/:id')
export class LabSessionsRoutes {
  constructor(
    private readonly sessions: LabSessions,
    private readonly replays: Replays,
  ) {}

  @Get('lab')
  @ApiOperation({ operationId: 'getLabOfCluster', summary: 'The lab of a learner’s cluster, and how far it is' })
  @ApiOkResponse({ standardSchema: nouns.LabView, description: 'Without its solution.' })
  @ApiNotFoundResponse(UNKNOWN)
  view(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.LabView> {
    return this.sessions.view(caller, id);
  }

  @Post('lab/steps/:step/enter')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enterStep', summary: 'A step begins: its script runs in the background' })
  @ApiOkResponse({ standardSchema: nouns.EnteredStep, description: 'And what is to be typed into the terminal.' })
  @ApiNotFoundResponse(UNKNOWN)
  enter(@CurrentCaller() caller: Caller, @Param('id') id: string, @Param('step') step: string) {
    return this.sessions.enter(caller, id, step);
  }

  @Post('lab/steps/:step/verify')
  @HttpCode(200)
  @ApiOperation({ operationId: 'verifyStep', summary: 'Whether a step is done' })
  @ApiOkResponse({ standardSchema: nouns.Verification, description: 'What its script and its checks say.' })
  @ApiNotFoundResponse(UNKNOWN)
  verify(@CurrentCaller() caller: Caller, @Param('id') id: string, @Param('step') step: string) {
    return this.sessions.verify(caller, id, step);
  }

  @Get('session')
  @ApiOperation({ operationId: 'getSession', summary: 'What was done in a cluster, act by act' })
  @ApiOkResponse({ standardSchema: nouns.LabSession, description: 'One page, the oldest act first.' })
  session(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: nouns.SessionQuery }) query: nouns.SessionQuery,
  ): Promise<nouns.LabSession> {
    return this.replays.list(caller, id, query);
  }
}
