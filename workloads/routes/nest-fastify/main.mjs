import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serve } from '../nest.mjs';

await serve(new FastifyAdapter());
