import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { nouns, Users, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

const FORBIDDEN = { description: 'The scope of the key is not manage.' };
const YOURSELF = { description: 'It is you.' };

/** /v1/users: the users of the caller's tenant. */
@Controller('v1/users')
@ApiForbiddenResponse(FORBIDDEN)
export class UsersRoutes {
  constructor(private readonly users: Users) {}

  @Post()
  @ApiOperation({ operationId: 'createUser', summary: 'Make a user' })
  @ApiCreatedResponse({ standardSchema: nouns.User, description: 'The user, who has no key yet.' })
  @ApiConflictResponse({ description: 'There is a user of this name already.' })
  create(@CurrentCaller() caller: Caller, @Body({ schema: nouns.NewUser }) user: nouns.NewUser): Promise<nouns.User> {
    return this.users.create(caller, user);
  }

  @Get()
  @ApiOperation({ operationId: 'listUsers', summary: 'List your users, oldest first' })
  @ApiOkResponse({ standardSchema: nouns.UserList, description: 'One page.' })
  list(@CurrentCaller() caller: Caller, @Query({ schema: nouns.Page }) page: nouns.Page): Promise<nouns.UserList> {
    return this.users.list(caller, page);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOperation({ operationId: 'disableUser', summary: 'Refuse a user’s keys, and the tokens made with them' })
  @ApiOkResponse({ standardSchema: nouns.User, description: 'The user.' })
  @ApiConflictResponse(YOURSELF)
  disable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.User> {
    return this.users.disable(caller, id);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enableUser', summary: 'Take a user’s keys and tokens again' })
  @ApiOkResponse({ standardSchema: nouns.User, description: 'The user.' })
  enable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.User> {
    return this.users.enable(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteUser', summary: 'Delete a user with its keys and tokens; clusters stay' })
  @ApiNoContentResponse({ description: 'There is none of this id any more.' })
  @ApiConflictResponse(YOURSELF)
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.users.delete(caller, id);
  }
}
