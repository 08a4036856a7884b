import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import type { Platform } from '../../service/endpoints';
import { flag, readCollection } from '../shared/builders';

/** How a draft is sent (gaps.md §1, Send). */
export const sendOptions: INodeProperties[] = [
	flag(
		'Require New Signer Verification',
		'require_new_signer_verification',
		'Whether signers must verify again, even if they did before',
	),
	flag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing without preparation by the closing team (real estate only)',
	),
	flag('Suppress Email', 'suppress_email', 'Whether to skip the invitation email'),
];

export function readSendOptions(params: Params, platform: Platform): IDataObject {
	const { skip_closing_ops: skip, ...both } = readCollection(
		params,
		params.object('additionalFields'),
		sendOptions,
	);
	return {
		...both,
		...(platform === 'realEstate' && skip !== undefined && { skip_closing_ops: skip }),
	};
}
