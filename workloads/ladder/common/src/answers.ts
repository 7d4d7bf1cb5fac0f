import type { Item } from './items.js';
import type { Order } from './order.js';

/** What the lowest rung answers, as it is. */
export const HELLO = 'Hello World!';

/** A route parameter and one of the query. */
export interface Asked {
  id: string;
  currency: string;
}

/** What higher rungs know of a request beside that. */
export interface Ordered extends Asked {
  order: Order;
}

export function helloAnswer() {
  return { message: HELLO };
}

export function paramsAnswer({ id, currency }: Asked) {
  return { id, currency };
}

export function bodyAnswer({ id, currency, order }: Ordered) {
  return { id, currency, customer: order.customer, quantity: order.quantity };
}

/** @param passed how many hooks the request has gone through */
export function hooksAnswer(ordered: Ordered, passed: number) {
  return { ...bodyAnswer(ordered), passed };
}

/** @param user whom the token names */
export function tokenAnswer(ordered: Ordered, passed: number, user: string) {
  return { ...bodyAnswer(ordered), passed, user };
}

export function rowAnswer(ordered: Ordered, passed: number, user: string, item: Item) {
  return { ...bodyAnswer(ordered), passed, user, item };
}
