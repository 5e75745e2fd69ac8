"""Writes an IFC file of a house, in millimetres, by IfcOpenShell's own functions: house_ifc.py FILE.ifc

Two storeys of 12 x 8 m, each with a slab, outer walls and a wall across with an opening for a door of 1.2 m; on the ground a
hall, a lobby and a door outside; on the first floor an office; a straight flight of 1.4 m between them, one with two
flights, a window, whose sill is 0.9 m high, and a lift."""
import sys

import ifcopenshell
import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.feature
import ifcopenshell.api.geometry
import ifcopenshell.api.project
import ifcopenshell.api.pset
import ifcopenshell.api.root
import ifcopenshell.api.spatial
import ifcopenshell.api.unit

model = ifcopenshell.api.project.create_file()
make = ifcopenshell.api.root.create_entity
project = make(model, ifc_class="IfcProject", name="House")
ifcopenshell.api.unit.assign_unit(model)  # millimetres
context = ifcopenshell.api.context.add_context(model, context_type="Model")
body = ifcopenshell.api.context.add_context(model, context_type="Model", context_identifier="Body",
                                            target_view="MODEL_VIEW", parent=context)
site, building = make(model, ifc_class="IfcSite"), make(model, ifc_class="IfcBuilding", name="House")
ifcopenshell.api.aggregate.assign_object(model, products=[site], relating_object=project)
ifcopenshell.api.aggregate.assign_object(model, products=[building], relating_object=site)


def shaped(element, corners, faces):
    """Corners are in m."""
    shape = ifcopenshell.api.geometry.add_mesh_representation(model, context=body, vertices=[corners], faces=[faces])
    ifcopenshell.api.geometry.assign_representation(model, product=element, representation=shape)
    ifcopenshell.api.geometry.edit_object_placement(model, product=element)
    return element


def box(element, x0, y0, z0, x1, y1, z1):
    corners = [(x, y, z) for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    return shaped(element, corners, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])


def put(storey, kind, name, *sides, space=False):
    element = box(make(model, ifc_class=kind, name=name), *sides)
    if space:
        ifcopenshell.api.aggregate.assign_object(model, products=[element], relating_object=storey)
    else:
        ifcopenshell.api.spatial.assign_container(model, products=[element], relating_structure=storey)
    return element


def door(storey, wall, name, x0, y0, x1, y1, z):
    opening = box(make(model, ifc_class="IfcOpeningElement"), x0 - 0.1, y0, z, x1 + 0.1, y1, z + 2.1)
    ifcopenshell.api.feature.add_feature(model, feature=opening, element=wall)
    return put(storey, "IfcDoor", name, x0, y0, z, x1, y1, z + 2.1)


def flight(name, x0, x1, y0, y1, z0, z1, parent=None):
    """A wedge that climbs along x."""
    corners = [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y1, z0), (x1, y1, z0), (x1, y1, z1)]
    element = shaped(make(model, ifc_class="IfcStairFlight", name=name), corners,
                     [(0, 1, 2), (5, 4, 3), (0, 3, 4, 1), (1, 4, 5, 2), (0, 2, 5, 3)])
    if parent:
        ifcopenshell.api.aggregate.assign_object(model, products=[element], relating_object=parent)
    return element


for z, name in (0, "ground"), (3, "first"):
    storey = make(model, ifc_class="IfcBuildingStorey", name=name)
    storey.Elevation = z * 1000.0
    ifcopenshell.api.aggregate.assign_object(model, products=[storey], relating_object=building)
    put(storey, "IfcSlab", "slab", 0, 0, z - 0.2, 12, 8, z)
    west = put(storey, "IfcWall", "west", 0, 0, z, 0.3, 8, z + 2.8)
    for side in (0, 0, 12, 0.3), (0, 7.7, 12, 8), (11.7, 0, 12, 8):
        put(storey, "IfcWall", "outer", *side[:2], z, *side[2:], z + 2.8)
    across = put(storey, "IfcWall", "across", 6, 0.3, z, 6.2, 7.7, z + 2.8)
    door(storey, across, f"{name} door", 6, 5, 6.2, 6.2, z)
    if z == 0:
        front = door(storey, west, "front door", 0, 3, 0.3, 4.2, z)
        put(storey, "IfcTransportElement", "lift", 9, 6, 0, 11, 7.5, 5.5)
        known = ifcopenshell.api.pset.add_pset(model, product=front, name="Pset_DoorCommon")
        ifcopenshell.api.pset.edit_pset(model, pset=known, properties={"IsExternal": True})
        put(storey, "IfcSpace", "1", 0.3, 0.3, z, 6, 7.7, z + 2.8, space=True).LongName = "hall"
        put(storey, "IfcSpace", "2", 6.2, 0.3, z, 11.7, 7.7, z + 2.8, space=True).LongName = "lobby"
        stair = flight("up", 7, 10.6, 0.6, 2, 0, 3)
        ifcopenshell.api.spatial.assign_container(model, products=[stair], relating_structure=storey)
        twice = make(model, ifc_class="IfcStair", name="back stairs")
        ifcopenshell.api.spatial.assign_container(model, products=[twice], relating_structure=storey)
        flight("back 1", 1, 2.5, 6, 7, 0, 1.5, twice)
        flight("back 2", 2.5, 4, 6, 7, 1.5, 3, twice)
    else:
        put(storey, "IfcSpace", "3", 0.3, 0.3, z, 6, 7.7, z + 2.8, space=True).LongName = "office"
        hole = box(make(model, ifc_class="IfcOpeningElement"), 2, -0.1, z + 0.9, 4, 0.4, z + 2)
        south = next(wall for wall in model.by_type("IfcWall") if wall.Name == "outer" and storey in
                     [wall.ContainedInStructure[0].RelatingStructure])
        ifcopenshell.api.feature.add_feature(model, feature=hole, element=south)
roof = make(model, ifc_class="IfcBuildingStorey", name="roof")
roof.Elevation = 6000.0
ifcopenshell.api.aggregate.assign_object(model, products=[roof], relating_object=building)
lost = box(make(model, ifc_class="IfcSlab", name="lost"), 20, 20, 0, 21, 21, 0.2)
model.write(sys.argv[1])
