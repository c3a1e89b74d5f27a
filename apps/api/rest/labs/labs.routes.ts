import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Labs, Learners, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

const UNKNOWN = { description: 'There is none of this name.' };
const QUOTA = { description: 'A quota is used up, or the scope of the key does not suffice.' };
const UNREADY = { description: 'Its cluster does not become ready: the answer says why.' };
/** YAML or JSON as the author wrote it: docs/LABS.md has its fields. */
const MANIFEST = {
  type: 'string',
  format: 'binary',
  description: 'A Lab of terrarium.dev/v1alpha1, as YAML or JSON.',
} as const;
const SUMMARY = { standardSchema: nouns.LabSummary, description: 'The lab; its cluster is ready.' };

/** Labs, and the clusters of their learners: docs/LABS.md. */
@Controller('v1/labs')
export class LabsRoutes {
  constructor(
    private readonly labs: Labs,
    private readonly learners: Learners,
  ) {}

  @Post()
  @ApiOperation({ operationId: 'createLab', summary: 'Take a lab, and prepare its cluster' })
  @ApiBody({ schema: MANIFEST })
  @ApiCreatedResponse(SUMMARY)
  @ApiConflictResponse({ description: 'There is a lab of this name.' })
  @ApiForbiddenResponse(QUOTA)
  @ApiUnprocessableEntityResponse(UNREADY)
  create(@CurrentCaller() caller: Caller, @Body() lab: unknown): Promise<nouns.LabSummary> {
    return this.labs.put(caller, lab, { replaces: false });
  }

  @Get()
  @ApiOperation({ operationId: 'listLabs', summary: 'List your labs' })
  @ApiOkResponse({ standardSchema: nouns.LabList, description: 'All of them, by name.' })
  list(@CurrentCaller() caller: Caller): Promise<nouns.LabList> {
    return this.labs.list(caller);
  }

  @Get(':name')
  @ApiOperation({ operationId: 'getLab', summary: 'A lab, with its manifest' })
  @ApiOkResponse({ standardSchema: nouns.LabDetail, description: 'The lab, its solution included.' })
  @ApiNotFoundResponse(UNKNOWN)
  get(@CurrentCaller() caller: Caller, @Param('name') name: string): Promise<nouns.LabDetail> {
    return this.labs.get(caller, name);
  }

  @Put(':name')
  @ApiOperation({ operationId: 'putLab', summary: 'Take a lab in place of the one of its name' })
  @ApiBody({ schema: MANIFEST })
  @ApiOkResponse(SUMMARY)
  @ApiForbiddenResponse(QUOTA)
  @ApiUnprocessableEntityResponse(UNREADY)
  put(@CurrentCaller() caller: Caller, @Param('name') name: string, @Body() lab: unknown): Promise<nouns.LabSummary> {
    return this.labs.put(caller, lab, { replaces: true, name });
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteLab', summary: 'Delete a lab; the clusters of its learners stay' })
  @ApiNoContentResponse({ description: 'There is none of this name any more.' })
  @ApiNotFoundResponse(UNKNOWN)
  delete(@CurrentCaller() caller: Caller, @Param('name') name: string): Promise<void> {
    return this.labs.delete(caller, name);
  }

  @Post(':name/learners')
  @ApiOperation({ operationId: 'startLearners', summary: 'Make a cluster of the lab for each of up to 200 learners' })
  @ApiCreatedResponse({ standardSchema: nouns.StartedLearners, description: 'Their clusters, ready to use.' })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'There is a learner of this name.' })
  @ApiForbiddenResponse(QUOTA)
  start(
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @Body({ schema: nouns.NewLearners }) learners: nouns.NewLearners,
  ): Promise<nouns.StartedLearners> {
    return this.learners.start(caller, name, learners);
  }

  @Get(':name/learners')
  @ApiOperation({ operationId: 'listLearners', summary: 'How far the learners of a lab are' })
  @ApiOkResponse({ standardSchema: nouns.LearnerList, description: 'All of them, by name.' })
  @ApiNotFoundResponse(UNKNOWN)
  listLearners(@CurrentCaller() caller: Caller, @Param('name') name: string): Promise<nouns.LearnerList> {
    return this.learners.list(caller, name);
  }

  @Post(':name/learners/:learner/tokens')
  @ApiOperation({ operationId: 'createLearnerToken', summary: 'A token of a learner, for a page or a kubeconfig file' })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedToken, description: 'It is shown only now.' })
  @ApiNotFoundResponse(UNKNOWN)
  createToken(
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @Param('learner') learner: string,
    @Body({ schema: nouns.NewLearnerToken }) token: nouns.NewLearnerToken,
  ): Promise<nouns.CreatedToken> {
    return this.learners.createToken(caller, name, learner, token);
  }
}
