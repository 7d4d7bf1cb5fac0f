import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import type { Settings } from 'ladder-common/rung';
import { controllerOf } from './controllers.js';

/** The root of an application. */
@Module({})
class AppModule {}

/** The root of one that serves a rung: it imports and provides only what that needs. */
export async function serving(settings: Settings): Promise<DynamicModule> {
  return {
    module: AppModule,
    controllers: [await controllerOf(settings.serves)],
    imports: await importsOf(settings),
    providers: await providersOf(settings),
  };
}

type Part<Key extends keyof ModuleMetadata> = NonNullable<ModuleMetadata[Key]>;

async function importsOf({ has }: Settings): Promise<Part<'imports'>> {
  return [
    ...(has('log') ? [await (await import('./logging.js')).logging()] : []),
    ...(has('row') ? [(await import('./items/items.module.js')).ItemsModule] : []),
  ];
}

async function providersOf({ has, mayFail, validator }: Settings): Promise<Part<'providers'>> {
  const filters = mayFail
    ? [{ provide: APP_FILTER, useClass: (await import('./problem.filter.js')).ProblemFilter }]
    : [];
  if (!has('body')) return filters;
  const pipe =
    validator === 'own'
      ? (await import('./validation.js')).validation
      : new (await import('./ajv.pipe.js')).AjvPipe();
  return [...filters, { provide: APP_PIPE, useValue: pipe }];
}
