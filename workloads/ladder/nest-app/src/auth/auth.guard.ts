import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { userOf } from 'ladder-common/token';

/** What is left in a request, and read of it. */
export interface Authenticated {
  headers: { authorization?: string };
  user: string;
}

/** Lets only those pass whose token is ours. */
@Injectable()
export class AuthGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authenticated>();
    const user = await userOf(request.headers.authorization);
    if (user === null) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}
