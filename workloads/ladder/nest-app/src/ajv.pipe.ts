import {
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { isOrder } from 'ladder-common/validator';

/** In place of ValidationPipe: the very validator of the floor. */
@Injectable()
export class AjvPipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'body' || isOrder(value)) return value;
    throw new BadRequestException();
  }
}
