import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Item, openItems } from 'ladder-common/items';

@Injectable()
export class ItemsService implements OnApplicationShutdown {
  readonly #items = openItems();

  /** The item with this key; null where there is none. */
  async find(id: string): Promise<Item | null> {
    return await this.#items.find(id);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#items.close();
  }
}
