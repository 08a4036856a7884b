/** What every playable MP4 has: its type, its index, its content. */
const NEEDED = ['ftyp', 'moov', 'mdat'];
const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;

/**
 * Looks through the boxes of an MP4.
 * @returns why no player would play it, or undefined when it looks whole
 */
export function whyNotMp4(bytes: Buffer): string | undefined {
	const found = new Set<string>();
	for (let at = 0; at < bytes.length;) {
		if (at + HEADER_BYTES > bytes.length) return `it ends in the middle of a box, at byte ${at}`;
		const type = bytes.toString('latin1', at + 4, at + HEADER_BYTES);
		const short = bytes.readUInt32BE(at);
		const isLong = short === 1;
		if (isLong && at + LONG_HEADER_BYTES > bytes.length)
			return `it ends in the middle of a box, at byte ${at}`;
		// 0 means: up to the end of the file.
		const size =
			short === 0
				? bytes.length - at
				: isLong
					? Number(bytes.readBigUInt64BE(at + HEADER_BYTES))
					: short;
		if (size < HEADER_BYTES || at + size > bytes.length)
			return `its box '${type}' at byte ${at} does not fit into it`;
		found.add(type);
		at += size;
	}
	const missing = NEEDED.filter((type) => !found.has(type));
	return missing.length === 0
		? undefined
		: `it has no box ${missing.map((type) => `'${type}'`).join(', ')}`;
}
