// What is measured on a table, in hundredths from its left and its lower edge: how far a base gets straight on, what it touches. Which
// shapes are in whose way, and how far he goes, comes with the page; no rule is known here.
(() => {
  "use strict";

  const FAN = 240; // directions in which it is measured how far somebody gets

  const less = (a, b) => [a[0] - b[0], a[1] - b[1]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const along = (from, way, far) => [from[0] + way[0] * far, from[1] + way[1] * far];
  const whole = ([x, y]) => [Math.round(x), Math.round(y)];
  const towards = (from, to) => {
    const far = apart(from, to) || 1;
    return [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
  };
  // A direction in degrees, clockwise from up, and back.
  const degrees = ([x, y]) => (Math.round((Math.atan2(x, y) * 180) / Math.PI) + 360) % 360;
  const heading = (turn) => [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
  const inches = (hundredths) => String(Math.round(hundredths) / 100);

  const edges = (shape) => (shape.length > 2 ? shape.map((one, at) => [one, shape[(at + 1) % shape.length]]) : [[shape[0], shape[shape.length - 1]]]);

  function nearest([a, b], point) {
    const side = less(b, a);
    const square = dot(side, side);
    const share = square ? Math.min(1, Math.max(0, dot(less(point, a), side) / square)) : 0;
    return along(a, side, share);
  }

  function inside(shape, [x, y]) {
    let found = false;
    edges(shape).forEach(([[ax, ay], [bx, by]]) => {
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found;
    });
    return shape.length > 2 && found;
  }

  // How far a point is from a shape; nothing within it.
  const off = (shape, point) => (inside(shape, point) ? 0 : Math.min(...edges(shape).map((edge) => apart(nearest(edge, point), point))));

  const crosses = ([a, b], [c, d]) => {
    const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  };

  // How far a piece of a line is from a shape.
  function beside(leg, shape) {
    if (leg.some((end) => inside(shape, end)) || edges(shape).some((edge) => crosses(leg, edge))) return 0;
    return Math.min(...leg.map((end) => off(shape, end)), ...shape.map((corner) => apart(nearest(leg, corner), corner)));
  }

  // The point so far on from one to another, in whole hundredths, as the rules have it.
  function onward(from, to, far) {
    const long = apart(from, to);
    return far >= long ? to : whole(along(from, towards(from, to), far));
  }

  // How many whole hundredths of a way straight on are free; null where all of it is.
  function freeLength(from, to, free) {
    if (free([from, to])) return null;
    let [good, bad] = [0, Math.floor(apart(from, to)) + 1];
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      if (free([from, onward(from, to, middle)])) good = middle;
      else bad = middle;
    }
    return good;
  }

  // How far a line goes until it comes nearer than so much to a point.
  function toPoint(from, way, centre, near) {
    const across = less(from, centre);
    const run = dot(across, way);
    const rest = dot(across, across) - near * near;
    if (rest < -1e-6) return 0;
    const root = run * run - rest;
    return run >= 0 || root <= 1e-9 ? Infinity : -run - Math.sqrt(root);
  }

  // The same to a shape; nothing where it is nearer from the first.
  function until(from, way, { shape, size }, near) {
    const reach = near + size;
    if (off(shape, from) < reach - 1e-6) return 0;
    let best = Infinity;
    shape.forEach((corner) => (best = Math.min(best, toPoint(from, way, corner, reach))));
    if (shape.length < 2) return best;
    edges(shape).forEach(([a, b]) => {
      const side = less(b, a);
      const long = Math.hypot(...side) || 1;
      const normal = [-side[1] / long, side[0] / long];
      const [high, falls] = [dot(less(from, a), normal), dot(way, normal)];
      const far = (Math.abs(high) - reach) / (high > 0 ? -falls : falls);
      if (!(far >= 0) || high * falls >= 0) return;
      const share = dot(less(along(from, way, far), a), side) / (long * long);
      if (share >= 0 && share <= 1) best = Math.min(best, far);
    });
    return best;
  }

  // From where to where a line lies on a shape; null where it does not.
  function span(from, way, { shape, size }) {
    if (shape.length === 1) {
      const across = less(from, shape[0]);
      const run = dot(across, way);
      const root = run * run - dot(across, across) + size * size;
      return root < 0 ? null : [-run - Math.sqrt(root), -run + Math.sqrt(root)];
    }
    const turn = edges(shape).reduce((sum, [a, b]) => sum + a[0] * b[1] - a[1] * b[0], 0);
    let [low, high] = [-Infinity, Infinity];
    for (const [one, other] of edges(shape)) {
      const [a, b] = turn < 0 ? [other, one] : [one, other];
      const side = less(b, a);
      const across = less(from, a);
      const here = side[0] * across[1] - side[1] * across[0];
      const slope = side[0] * way[1] - side[1] * way[0];
      if (Math.abs(slope) < 1e-9 && here < -1e-6) return null;
      if (slope > 1e-9) low = Math.max(low, -here / slope);
      else if (slope < -1e-9) high = Math.min(high, here / -slope);
    }
    return low <= high ? [low, high] : null;
  }

  function plane(roaming, moved) {
    const { solids } = roaming;
    const [wide, deep] = roaming.size;
    const figures = new Map(roaming.who.map((one) => [one.who, one]));

    // A shape as it is once those of one's own have gone whom an order above sends away.
    function solid(place) {
      const one = solids[place];
      const to = one.of && moved().get(one.of);
      if (!to) return one;
      const from = figures.get(one.of) ? figures.get(one.of).at : one.shape[0];
      return { ...one, shape: one.shape.map((corner) => [corner[0] + to[0] - from[0], corner[1] + to[1] - from[1]]) };
    }

    function toEdge(from, way, size) {
      const limits = [[0, size, wide - size], [1, size, deep - size]].map(([axis, low, high]) => {
        if (Math.abs(way[axis]) < 1e-12) return Infinity;
        return ((way[axis] > 0 ? high : low) - from[axis]) / way[axis];
      });
      return Math.max(0, Math.min(...limits));
    }

    // On top of what is built: as far as one piece leads on to the next, and back to where a base has room.
    function onTop(one, from, way, far) {
      const tops = one.floors.map((place) => span(from, way, solid(place))).filter((found) => found && found[1] >= 0).sort((a, b) => a[0] - b[0]);
      let end = 0;
      for (const [low, high] of tops) {
        if (low > end + roaming.gap) break;
        end = Math.max(end, high);
      }
      return Math.min(far, end);
    }

    // The last place of a line, no farther than so, at which a base has room on one piece; less than nothing where there is none.
    function settled(one, from, way, far) {
      const rooms = one.rests.map((place) => span(from, way, solid(place))).filter((found) => found && found[0] <= far && found[1] >= 0);
      return Math.max(-1, ...rooms.map((found) => Math.min(found[1], far)));
    }

    // A way on top of what is built, back to its last place at which the base has room.
    function back(one, path) {
      for (let at = path.length - 1; at > 0; at -= 1) {
        const [from, to] = [path[at - 1], path[at]];
        const far = apart(from, to);
        const there = settled(one, from, towards(from, to), far);
        if (there > far - 0.75) return path.slice(0, at + 1);
        if (there >= 0) return [...path.slice(0, at), whole(along(from, towards(from, to), there))];
      }
      return [one.at];
    }

    // How far somebody gets on from a point, and what ends it: "speed", "blocked", "hindering".
    function straight(one, from, way, rest) {
      let [far, why] = [rest, "speed"];
      const end = (limit, said) => {
        if (limit < far) [far, why] = [limit, said];
      };
      if (one.flies) {
        end(toEdge(from, way, one.size), "blocked");
        return { far: Math.floor(far), why };
      }
      one.bars.forEach((place) => end(until(from, way, solid(place), one.size - roaming.pressed), "blocked"));
      if (one.floors.length) {
        end(onTop(one, from, way, far), "blocked");
        const there = Math.max(0, settled(one, from, way, far));
        if (there < far - 0.5) [far, why] = [there, "blocked"];
      } else {
        end(toEdge(from, way, one.size), "blocked");
        one.stops.forEach((place) => {
          const ground = solid(place);
          const near = one.size + ground.size - roaming.pressed;
          if (off(ground.shape, one.at) >= near) end(until(from, way, ground, one.size - roaming.pressed) + 1, "hindering");
        });
      }
      return { far: Math.max(0, Math.floor(far + 1e-6)), why };
    }

    // Where somebody can get straight on from a point, as a polygon round it.
    function fan(one, from, rest) {
      return Array.from({ length: FAN }, (_, turn) => {
        const way = heading((turn * 360) / FAN);
        return along(from, way, straight(one, from, way, rest).far);
      });
    }

    // Whether the middle of a base stays where it may be on a piece of a way.
    function stays(one) {
      if (!one.floors.length) return (leg) => leg.every(([x, y]) => x >= one.size && x <= wide - one.size && y >= one.size && y <= deep - one.size);
      const tops = one.floors.map(solid);
      const adjoin = (a, b) => Math.min(...a.shape.map((corner) => off(b.shape, corner)), ...b.shape.map((corner) => off(a.shape, corner))) <= a.size + b.size + roaming.gap;
      return ([from, to]) => {
        const far = apart(from, to);
        const on = tops.map((top) => [span(from, towards(from, to), top), top]).filter(([found]) => found && found[1] >= 0 && found[0] <= far).sort((a, b) => a[0][0] - b[0][0]);
        let [end, before] = [0, null];
        for (const [[low, high], top] of on) {
          if (low > end + 1e-6 && (!before || low - end > 2 * roaming.gap || !adjoin(before, top))) return false;
          if (high > end || !before) [end, before] = [Math.max(high, end), top];
        }
        return Boolean(before) && end >= far - 1e-6;
      };
    }

    // A way as it is gone, leg by leg: its points, how long it is, and what ends it short.
    // ``touching``: only to the first touch of an enemy's base.
    function walked(one, points, touching = false) {
      const path = [one.at];
      let [run, why] = [0, ""];
      const bars = one.bars.map(solid);
      const left = touched(one, one.at);
      const held = stays(one);
      const nearer = (leg, list) => list.some((each) => beside(leg, each.shape) < one.size + each.size - roaming.pressed - 1e-6);
      for (const to of points) {
        const from = path[path.length - 1];
        if (apart(from, to) < 0.5) continue;
        const inReach = (leg) => run + apart(...leg) <= one.reach + 1e-6;
        const free = one.flies ? inReach : (leg) => inReach(leg) && held(leg) && !nearer(leg, bars);
        let far = freeLength(from, to, free);
        if (far !== null) why = inReach([from, onward(from, to, far + 1)]) ? "blocked" : "speed";
        const grounds = one.stops.map(solid).filter((ground) => off(ground.shape, from) >= one.size + ground.size - roaming.pressed - 1e-6);
        const slow = one.flies ? null : freeLength(from, to, (leg) => !nearer(leg, grounds));
        if (slow !== null && (far === null || slow + 1 <= far)) [far, why] = [slow + 1, "hindering"];
        // whom he touches from the first he goes away from
        const foes = touching ? one.foes.map(solid).filter((foe) => !left.includes(foe.of)) : [];
        const met = freeLength(from, to, (leg) => !foes.some((foe) => beside(leg, foe.shape) <= one.size + foe.size + roaming.contact + 1e-6));
        if (met !== null && (far === null || met + 1 <= far)) [far, why] = [met + 1, "contact"];
        const end = far === null ? to : onward(from, to, far);
        path.push(end);
        run += apart(from, end);
        if (why) break;
      }
      const kept = one.floors.length && !one.flies ? back(one, path) : path;
      if (kept.length < path.length || kept[kept.length - 1] !== path[path.length - 1]) why = "blocked";
      return { path: kept, run: kept.slice(1).reduce((sum, point, at) => sum + apart(kept[at], point), 0), why };
    }

    // Whose bases are in contact with one that stands there.
    const touched = (one, point) => one.foes.map(solid).filter((foe) => off(foe.shape, point) <= one.size + foe.size + roaming.contact).map((foe) => foe.of);

    // The place nearest to a point at which a base touches an enemy that is near it; null where none is.
    function contact(one, point, near) {
      let [best, least] = [null, near];
      one.foes.map(solid).forEach((foe) => {
        const gap = Math.abs(off(foe.shape, point) - one.size - foe.size);
        if (gap >= least || foe.shape.length > 1) return;
        least = gap;
        best = whole(along(foe.shape[0], towards(foe.shape[0], point), one.size + foe.size + roaming.contact / 2 - 1));
      });
      return best;
    }

    // The base or piece of a token: its middle and how far it reaches, for a ruler.
    function body(id) {
      const place = solids.findIndex((one) => one.of === id);
      return place < 0 ? null : solid(place);
    }

    // Two shapes from rim to rim, and the points between which that is.
    function between(one, other) {
      const pairs = one.shape.flatMap((corner) => edges(other.shape).map((edge) => [corner, nearest(edge, corner)])).concat(other.shape.flatMap((corner) => edges(one.shape).map((edge) => [nearest(edge, corner), corner])));
      const [from, to] = pairs.reduce((best, pair) => (apart(...pair) < apart(...best) ? pair : best));
      const far = apart(from, to);
      return { from: along(from, towards(from, to), Math.min(one.size, far)), to: along(to, towards(to, from), Math.min(other.size, far)), gap: Math.max(0, far - one.size - other.size), far };
    }

    return { figures, straight, fan, walked, touched, contact, body, between, solid };
  }

  window.pbemPlane = { plane, apart, towards, degrees, heading, inches, off, nearest, whole };
})();
