import { ExpressAdapter } from '@nestjs/platform-express';
import { serve } from '../nest.mjs';

await serve(new ExpressAdapter());
