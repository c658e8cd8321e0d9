// Makes rows of the tables that a packet brings: what repeats in thousands of orders stands in them once. No rule is known here.
(() => {
  "use strict";

  const PLAIN = "pmixb";

  // The data of the page with its rows; what the letters mean is told where the tables are written.
  function rowsOf(data) {
    const { values, up, at } = data;

    const ways = new Array(up.length);
    up.forEach((before, place) => (ways[place] = before < 0 ? values[at[place]] : `${ways[before]} ${values[at[place]]}`));

    function valueOf(key, found) {
      if (PLAIN.includes(key)) return found;
      if (key === "a") return Array.isArray(found) ? found : [found];
      return key === "y" ? ways[found] : values[found];
    }

    function expanded(tables) {
      return tables.flatMap(([sentence, k, count, keys, ...columns]) =>
        Array.from({ length: count }, (_, place) => {
          const row = { w: [], k };
          [...keys].forEach((key, column) => (row[key] = valueOf(key, Array.isArray(columns[column]) ? columns[column][place] : columns[column])));
          const parts = { w: row.w.join(", "), c: (row.c || []).join(" "), t: (row.t || []).join(", "), f: row.f || "" };
          const said = values[sentence];
          row.s = Array.isArray(said) ? said[0] : said.replace(/\{([wctf])\}/g, (hole, key) => parts[key]);
          return row;
        }),
      );
    }

    function places(found) {
      const all = [];
      (found || []).forEach((one) => {
        if (one >= 0) all.push(one);
        else for (let more = 0; more > one; more -= 1) all.push(all[all.length - 1] + 1);
      });
      return all;
    }

    const phases = data.phases.map((phase) => ({ ...phase, rows: expanded(phase.rows) }));
    const after = data.after.map(([ids, ...found]) => Object.fromEntries(values[ids].map((id, place) => [id, places(found[place])])));
    return { ...data, phases, later: expanded(data.later), after };
  }

  window.pbemPacket.rowsOf = rowsOf;
})();
