import type { INodeProperties } from 'n8n-workflow';

import { propertiesV1 } from './propertiesV1';
import { propertiesV2 } from './propertiesV2';

/** The trigger's parameters, of all of its versions. */
export const triggerProperties: INodeProperties[] = [...propertiesV1, ...propertiesV2];
