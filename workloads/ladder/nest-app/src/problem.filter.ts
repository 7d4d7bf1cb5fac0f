import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  HttpStatus,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { problemOf } from 'ladder-common/errors';

/** Answers what was thrown. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const status =
      thrown instanceof HttpException ? thrown.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
    const response = host.switchToHttp().getResponse();
    this.host.httpAdapter.reply(response, problemOf(status), status);
  }
}
