"""Buildings from IFC as Tiled maps that throng.building reads, by IfcOpenShell (pip install ifcopenshell):

    python3 -m throng building.ifc building.tmx

Storeys become floors: slabs and spaces are their area; walls, columns, windows and curtain walls, cut HEIGHT above the
floor, stand on it; spaces are regions of their names, doors are doors, those that lead outside exits too; straight stairs
and ramps lead from storey to storey. What is left out is said.
"""
from __future__ import annotations

import math
import os
import xml.etree.ElementTree as xml
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .library import Error

__all__ = ["convert"]

HEIGHT = 0.3  #: m above the floor, below sills
SOLID = ("IfcWall", "IfcColumn", "IfcCurtainWall", "IfcWindow", "IfcRailing")
LINKS = {"stairs": ("IfcStairFlight", "IfcStair"), "ramps": ("IfcRampFlight", "IfcRamp")}
LEAST = 0.01  # m^2: what is smaller is no area


class _Storey:
    def __init__(self, entity: Any, z: float) -> None:
        self.entity, self.z = entity, z
        self.name = str(entity.Name or f"storey {entity.id()}").replace("/", " ")
        self.floor: List[Any] = []
        self.walls: List[Any] = []
        self.layers: Dict[str, List[Tuple[str, np.ndarray, Dict[str, float], bool]]] = {}

    def add(self, layer: str, name: str, points: Any, closed: bool, **properties: Any) -> None:
        self.layers.setdefault(layer, []).append((name, np.asarray(points, float), properties, closed))


class _Reader:
    """A file, and what is left out of it."""

    def __init__(self, path: str) -> None:
        try:
            import ifcopenshell
            import ifcopenshell.geom
            import ifcopenshell.util.element
            import ifcopenshell.util.unit
            import shapely
        except ImportError as error:
            raise ImportError(f"{error}: to read IFC, pip install ifcopenshell shapely") from error
        self.ifc: Any = ifcopenshell
        self.shapely: Any = shapely
        try:
            self.file = self.ifc.open(path)
            if not self.file.by_type("IfcProject"):
                raise Error(f"'{path}' has no project: it is no building's IFC")
        except (OSError, RuntimeError, ifcopenshell.Error) as error:
            raise Error(f"cannot read '{path}' as IFC: {error}") from error
        self.settings = self.ifc.geom.settings()
        self.settings.set("use-world-coords", True)
        unit = ifcopenshell.util.unit.calculate_unit_scale(self.file)
        storeys = [_Storey(s, float(s.Elevation or 0) * unit) for s in self.file.by_type("IfcBuildingStorey")]
        if not storeys:
            raise Error(f"'{path}' has no IfcBuildingStorey: floors come from these")
        self.storeys = sorted(storeys, key=lambda s: s.z)
        self.notes: List[str] = []

    def mesh(self, element: Any) -> Optional[Tuple[np.ndarray, np.ndarray]]:
        """Its corners [n, 3], m, and triangles [m, 3]; None: it has no shape."""
        try:
            shape: Any = self.ifc.geom.create_shape(self.settings, element)
        except RuntimeError:
            return None
        points = np.array(shape.geometry.verts, float).reshape(-1, 3)
        faces = np.array(shape.geometry.faces, int).reshape(-1, 3)
        return (points, faces) if len(faces) else None

    def storey_of(self, element: Any) -> Optional[_Storey]:
        """The storey that it is in, also by way of what it is a part of."""
        above: Any = element
        while above is not None and not above.is_a("IfcBuildingStorey"):
            above = self.ifc.util.element.get_container(above) or self.ifc.util.element.get_aggregate(above)
        return next((s for s in self.storeys if above is not None and s.entity.id() == above.id()), None)

    def elements(self, *kinds: str) -> Iterator[Tuple[Any, _Storey, np.ndarray, np.ndarray]]:
        """Those of the classes that have a storey and a shape."""
        seen = set()
        for kind in kinds:
            for element in self.file.by_type(kind):
                if element.id() in seen:
                    continue
                seen.add(element.id())
                storey, mesh = self.storey_of(element), self.mesh(element)
                if storey and mesh:
                    yield element, storey, mesh[0], mesh[1]
                elif not storey:
                    self.note(element, "it is on no storey")

    def note(self, element: Any, why: str) -> None:
        """Something was left out."""
        self.notes.append(f"{element.is_a()} '{element.Name or element.GlobalId}' was left out: {why}")

    # ---- shapes on the plan

    def footprint(self, points: np.ndarray, faces: np.ndarray) -> Any:
        """All that is under it."""
        triangles = self.shapely.polygons(points[faces][:, :, :2])
        return self.shapely.union_all(self.shapely.make_valid(triangles[self.shapely.area(triangles) > 1e-8]))

    def section(self, points: np.ndarray, faces: np.ndarray, z: float) -> Any:
        """What is solid of it at a height."""
        lines = []
        for triangle in points[faces]:
            over = triangle[:, 2] >= z
            if over.all() or not over.any():
                continue
            ends = [a + (b - a) * (z - a[2]) / (b[2] - a[2])
                    for a, b in zip(triangle, np.roll(triangle, -1, axis=0)) if (a[2] >= z) != (b[2] >= z)]
            lines.append([np.round(end[:2], 6) for end in ends])
        if not lines:
            return self.shapely.Polygon()
        edges = np.array(lines)
        areas = self.shapely.get_parts(self.shapely.polygonize([self.shapely.union_all(self.shapely.linestrings(edges))]))
        return self.shapely.union_all([area for area in areas if _is_inside(area.representative_point(), edges)])


def _is_inside(point: Any, edges: np.ndarray) -> bool:
    (ax, ay), (bx, by) = edges[:, 0].T, edges[:, 1].T
    crosses = (ay > point.y) != (by > point.y)
    at = ax[crosses] + (point.y - ay[crosses]) * (bx - ax)[crosses] / (by - ay)[crosses]
    return int((at > point.x).sum()) % 2 == 1


def _polygons(shape: Any) -> List[Any]:
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and part.area > LEAST]


def _without_holes(part: Any) -> List[Any]:
    """The same area in pieces that a ring of points each can tell: cut through its holes."""
    if not part.interiors:
        return [part]
    x0, y0, x1, y1 = part.bounds
    x = part.interiors[0].centroid.x
    sides = (part.intersection(type(part)([(a, y0 - 1), (b, y0 - 1), (b, y1 + 1), (a, y1 + 1)]))
             for a, b in ((x0 - 1, x), (x, x1 + 1)))
    return [piece for side in sides for half in _polygons(side) for piece in _without_holes(half)]


def _box_of(shape: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle, and half of the long and of the short side, of the smallest box around it."""
    corners = np.array(shape.minimum_rotated_rectangle.exterior.coords)[:4]
    one, other = (corners[1] - corners[0]) / 2, (corners[2] - corners[1]) / 2
    long, short = (one, other) if np.hypot(*one) >= np.hypot(*other) else (other, one)
    return corners.mean(axis=0), long, short


# ---- what is read


def _read_areas(reader: _Reader) -> None:
    for slab, storey, points, faces in reader.elements("IfcSlab"):
        if (slab.PredefinedType or "FLOOR") in ("FLOOR", "BASESLAB", "NOTDEFINED", "USERDEFINED"):
            storey.floor.append(reader.footprint(points, faces))
    for space, storey, points, faces in reader.elements("IfcSpace"):
        area = reader.footprint(points, faces)
        storey.floor.append(area)
        for part in _polygons(area):
            storey.add("regions", str(space.LongName or space.Name or "space").replace("/", " "),
                       part.exterior.coords[:-1], True)
    for _, storey, points, faces in reader.elements(*SOLID):
        storey.walls.append(reader.section(points, faces, storey.z + HEIGHT))


def _is_external(reader: _Reader, door: Any) -> bool:
    sets = reader.ifc.util.element.get_psets(door)
    return any(values.get("IsExternal") is True for values in sets.values())


def _read_doors(reader: _Reader) -> None:
    for door, storey, points, faces in reader.elements("IfcDoor"):
        middle, long, short = _box_of(reader.footprint(points, faces))
        thick = short / max(np.hypot(*short), 1e-9) * max(np.hypot(*short), 0.15)
        frame = reader.shapely.Polygon([middle + a + b for a, b in
                                        ((long, thick), (long, -thick), (-long, -thick), (-long, thick))])
        storey.floor.append(frame)
        name = str(door.Name or f"door {door.id()}").replace("/", " ")
        storey.add("doors", name, [middle - long, middle + long], False)
        if _is_external(reader, door):
            storey.add("exits", "exit", frame.exterior.coords[:-1], True)


def _read_links(reader: _Reader) -> None:
    for layer, (flight, whole) in LINKS.items():
        flights = list(reader.elements(flight))
        for stair in reader.file.by_type(whole):
            parts = [part for part in reader.ifc.util.element.get_parts(stair) if part.is_a(flight)]
            if len(parts) > 1:
                reader.note(stair, f"it has {len(parts)} flights: straight ones of one flight are read")
                flights = [found for found in flights if found[0] not in parts]
        flights += [found for found in reader.elements(whole) if not reader.ifc.util.element.get_parts(found[0])]
        for element, _, points, _ in flights:
            _add_link(reader, layer, element, points)
    for lift in reader.file.by_type("IfcTransportElement"):
        reader.note(lift, "lifts and escalators are not read; throng edit draws them")


def _add_link(reader: _Reader, layer: str, element: Any, points: np.ndarray) -> None:
    low, high = points[:, 2].min(), points[:, 2].max()
    begin, end = (min(reader.storeys, key=lambda s: abs(s.z - z)) for z in (low, high))
    if begin is end:
        reader.note(element, "it joins no two storeys")
        return
    share = (high - low) / 4
    lower, upper = points[points[:, 2] < low + share, :2], points[points[:, 2] > high - share, :2]
    way = upper.mean(axis=0) - lower.mean(axis=0)
    if np.hypot(*way) < 0.3:
        reader.note(element, "it leads straight up")
        return
    way /= np.hypot(*way)
    along, across = points[:, :2] @ way, points[:, :2] @ np.array([-way[1], way[0]])
    middle = np.array([-way[1], way[0]]) * (across.min() + across.max()) / 2
    width = float(across.max() - across.min())
    begin.add(layer, str(element.Name or layer).replace("/", " "),
              [middle + way * along.min(), middle + way * along.max()], False, to=end.name,
              width=math.floor(width * 1000) / 1000)


# ---- what is written


def _tmx(reader: _Reader) -> xml.ElementTree:
    shapely, told = reader.shapely, []
    for storey in reader.storeys:
        floor = shapely.union_all(storey.floor).buffer(0) if storey.floor else shapely.Polygon()
        walls = shapely.union_all(storey.walls) if storey.walls else shapely.Polygon()
        parts = _polygons(floor)
        if not parts:
            reader.notes.append(f"storey '{storey.name}' was left out: it has no slab and no space")
            continue
        for layer, areas in ("floor", parts), ("walls", _polygons(walls.intersection(floor.buffer(1)))):
            for area in areas:
                for piece in _without_holes(area.simplify(0.001)):
                    storey.add(layer, "", piece.exterior.coords[:-1], True)
        told.append(storey)
    if not told:
        raise Error("no storey has a slab or a space: there is nowhere to walk")
    corners = np.concatenate([points for s in told for layer in s.layers.values() for _, points, _, _ in layer])
    least, most = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    if np.abs(least).max() > 1000:
        reader.notes.append(f"moved by {-least[0]:g}, {-least[1]:g} m: it lies far from (0, 0)")
    wide, high = (most - least).astype(int)
    root = xml.Element("map", orientation="orthogonal", width=str(wide), height=str(high), tilewidth="1", tileheight="1")
    _write_properties(root, {"scale": 1.0})
    number = 0
    for storey in told:
        group = xml.SubElement(root, "group", name=storey.name)
        _write_properties(group, {"z": storey.z})
        for layer, objects in sorted(storey.layers.items()):
            made = xml.SubElement(group, "objectgroup", name=layer)
            for name, points, properties, closed in objects:
                number += 1
                one = xml.SubElement(made, "object", id=str(number), name=name, x="0", y="0")
                _write_properties(one, properties)
                text = " ".join(f"{x - least[0]:.4f},{high - (y - least[1]):.4f}" for x, y in points)
                xml.SubElement(one, "polygon" if closed else "polyline", points=text)
    return xml.ElementTree(root)


def _write_properties(of: xml.Element, values: Dict[str, Any]) -> None:
    if not values:
        return
    made = xml.SubElement(of, "properties")
    for name, value in values.items():
        one = xml.SubElement(made, "property", name=name)
        if isinstance(value, float):
            one.set("type", "float")
        one.set("value", f"{value:.4f}" if isinstance(value, float) else str(value))


def convert(path: "str | os.PathLike[str]", out: "str | os.PathLike[str]") -> List[str]:
    """Writes the building of an IFC file as a .tmx; what was left out, a text each."""
    if not os.path.isfile(path):
        raise Error(f"there is no file '{os.fspath(path)}'")
    reader = _Reader(os.fspath(path))
    _read_areas(reader)
    _read_doors(reader)
    _read_links(reader)
    tree = _tmx(reader)
    xml.indent(tree, " ")
    try:
        tree.write(os.fspath(out), encoding="utf-8")
    except OSError as error:
        raise Error(f"cannot write '{os.fspath(out)}': {error.strerror or error}") from error
    return reader.notes
