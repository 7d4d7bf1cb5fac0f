import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsInt,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Order } from 'ladder-common/order';

class DeliveryDto {
  @IsString()
  @Length(1, 100)
  street!: string;

  @IsString()
  @Length(1, 100)
  city!: string;
}

/** An order, with the rules of the schema that the other validators go by. */
export class OrderDto implements Order {
  @IsString()
  @Length(1, 100)
  customer!: string;

  @IsInt()
  @Min(1)
  @Max(1000)
  quantity!: number;

  @IsBoolean()
  gift!: boolean;

  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  tags!: string[];

  @IsDefined()
  @ValidateNested()
  @Type(() => DeliveryDto)
  delivery!: DeliveryDto;
}
