import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { ClusterChecks } from '../../graphql/checks/cluster-checks.js';

const CHECK = { standardSchema: nouns.Check, description: 'How it stands now.' };
const FORBIDDEN = { description: 'The cluster’s own rules do not let the caller do it.' };
const UNKNOWN = { description: 'There is none of this name.' };
const INVALID = { description: 'What it asks for is not understood.' };

/** What was asked for in a cluster, and what of it was done: docs/CHECKS.md. */
@Controller('v1/clusters/:id/checks')
@UseGuards(ClusterGuard)
export class ChecksRoutes {
  constructor(private readonly checks: ClusterChecks) {}

  @Get()
  @ApiOperation({ operationId: 'getChecks', summary: 'The results of all checks, and the score' })
  @ApiOkResponse({ standardSchema: nouns.CheckReport, description: 'Without the expressions.' })
  @ApiForbiddenResponse(FORBIDDEN)
  async list(@CurrentRequest() context: RequestContext, @Param('id') id: string): Promise<nouns.CheckReport> {
    return this.checks.report(context, id);
  }

  @Post()
  @ApiOperation({ operationId: 'createCheck', summary: 'Ask for something: it is looked at from now on' })
  @ApiCreatedResponse(CHECK)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiConflictResponse({ description: 'There is a check of this name.' })
  @ApiUnprocessableEntityResponse(INVALID)
  async create(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.NewCheck }) check: nouns.NewCheck,
  ): Promise<nouns.Check> {
    return this.checks.create(context, id, check);
  }

  @Get(':name')
  @ApiOperation({ operationId: 'getCheck', summary: 'The result of one check' })
  @ApiOkResponse(CHECK)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiNotFoundResponse(UNKNOWN)
  async find(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<nouns.Check> {
    return this.checks.find(context, id, name);
  }

  @Put(':name')
  @ApiOperation({ operationId: 'putCheck', summary: 'Make a check, or let it ask for something else from now on' })
  @ApiOkResponse(CHECK)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiUnprocessableEntityResponse(INVALID)
  async put(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
    @Body({ schema: nouns.CheckSpec }) spec: nouns.CheckSpec,
  ): Promise<nouns.Check> {
    return this.checks.put(context, id, name, spec);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteCheck', summary: 'Ask no longer' })
  @ApiNoContentResponse({ description: 'There is none of this name any more.' })
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiNotFoundResponse(UNKNOWN)
  async delete(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<void> {
    await this.checks.delete(context, id, name);
  }
}
