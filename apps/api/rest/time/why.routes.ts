import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { Questions, whySpecOf } from '../../graphql/why/questions.js';

const OK = { standardSchema: nouns.Why, description: 'The plain reason, and the changes that led to it.' };
const UNKNOWN = { description: 'What is asked about is not known to the cluster.' };
const FORBIDDEN = { description: 'The cluster’s own rules do not let the caller ask.' };
const INVALID = { description: 'The question is not understood.' };

/** Why something inside a cluster is as it is. */
@Controller('v1/clusters/:id/why')
@UseGuards(ClusterGuard)
export class WhyRoutes {
  constructor(private readonly questions: Questions) {}

  @Get()
  @ApiOperation({ operationId: 'askWhy', summary: 'Why an object, a connection, a request or a revision is as it is' })
  @ApiOkResponse(OK)
  @ApiBadRequestResponse(UNKNOWN)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiUnprocessableEntityResponse(INVALID)
  ask(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: nouns.WhyQuery }) query: nouns.WhyQuery,
  ): Promise<nouns.Why> {
    return this.questions.why(context, id, whySpecOf(query));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'postWhy',
    summary: 'The same by the spec of a Why, such as with an object to be tried',
  })
  @ApiOkResponse(OK)
  @ApiBadRequestResponse(UNKNOWN)
  @ApiForbiddenResponse(FORBIDDEN)
  @ApiUnprocessableEntityResponse(INVALID)
  post(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.WhySpec }) spec: nouns.WhySpec,
  ): Promise<nouns.Why> {
    return this.questions.why(context, id, spec);
  }
}
