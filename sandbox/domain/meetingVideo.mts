/** Where the recording of a meeting is (docs/service/notarization.md#meeting-video). */

import type { NotarizationRecord, World } from '../world/world.mts';

/** The documented address of the recording, or on live services the newer one. */
export function videoUrl(
	{ origin, settings }: World,
	{ id, transactionId }: NotarizationRecord,
): string {
	const asset =
		settings.profile === 'documented'
			? '/generic_video_session'
			: '?asset_key=generic_video_session';
	return `${origin()}/v1/transactions/${transactionId}/notarization_records/${id}/download_asset${asset}`;
}
