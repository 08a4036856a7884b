/**
 * The characters of all texts of a page, as its layout has them, in points from its top left: run in
 * Chromium.
 */
export function readBrowserLines() {
	const elements = document.querySelectorAll('.t');
	const found = [];
	for (let index = 0; index < elements.length; index++) {
		const line = { text: '', xs: [], tops: [], heights: [] };
		const nodes = elements[index].childNodes;
		for (let child = 0; child < nodes.length; child++) {
			const node = nodes[child];
			for (let at = 0; node.nodeType === 3 && at < node.data.length; at++) {
				const range = document.createRange();
				range.setStart(node, at);
				range.setEnd(node, at + 1);
				const box = range.getClientRects()[0] || { left: 0, top: -1000, height: 0 };
				line.text += node.data.charAt(at);
				line.xs.push(Math.round((box.left + window.pageXOffset) * 100) / 100);
				line.tops.push(Math.round((box.top + window.pageYOffset) * 100) / 100);
				line.heights.push(Math.round(box.height * 100) / 100);
			}
		}
		// Small capitals are drawn as capitals.
		if (getComputedStyle(elements[index]).fontVariantCaps === 'small-caps')
			line.text = line.text.toUpperCase();
		found.push(line);
	}
	return { lines: found, width: document.querySelector('section').getBoundingClientRect().width };
}
