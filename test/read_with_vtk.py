#!/usr/bin/env python3
"""Reads the files of a result folder with VTK's own readers: read_with_vtk.py FOLDER WEIGHT

Arrays by name, type and width; counts and ranges; and that the numbers fit together: the contacts on the floor
carry WEIGHT [N], the forces on spheres are those of the contacts, a field has the mass of the grains.
Prints what is wrong; exit 1 when anything is.
"""
import math
import os
import sys

import vtk

folder, weight = sys.argv[1], float(sys.argv[2])
problems = []


def check(what, good):
    if not good:
        problems.append(what)


def open_file(reader, name):
    reader.SetFileName(os.path.join(folder, name))
    failed = []
    reader.AddObserver("ErrorEvent", lambda *_: failed.append(name))
    reader.Update()
    check(f"{name}: the reader complains", not failed)
    return reader.GetOutput()


def rows(data, name):
    array = data.GetArray(name)
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())] if array else []


def arrays(name, data, want, count):
    """`want`: name to (VTK type, components)."""
    have = {data.GetArrayName(i) for i in range(data.GetNumberOfArrays())}
    check(f"{name}: has {sorted(have)}, expected {sorted(want)}", have == set(want))
    for key, (kind, width) in want.items():
        array = data.GetArray(key)
        if not array:
            continue
        check(f"{name}: {key} is {array.GetDataTypeAsString()}", array.GetDataTypeAsString() in kind)
        check(f"{name}: {key} has {array.GetNumberOfComponents()} components", array.GetNumberOfComponents() == width)
        check(f"{name}: {key} has {array.GetNumberOfTuples()} rows", array.GetNumberOfTuples() == count)
        check(f"{name}: {key} is not finite", all(math.isfinite(x) for row in rows(data, key) for x in row))


def norm(v):
    return math.sqrt(sum(x * x for x in v))


def near(a, b, share):
    return abs(a - b) <= share * abs(b)


FLOAT, DOUBLE, WORD, LONG = ("float",), ("double",), ("unsigned int",), ("unsigned long", "unsigned long long")
SPHERES = {"radius": (FLOAT, 1), "velocity": (FLOAT, 3), "spin": (FLOAT, 3), "force": (FLOAT, 3), "stress": (FLOAT, 6),
           "orientation": (FLOAT, 4), "grain": (LONG, 1), "material": (WORD, 1), "kind": (WORD, 1),
           "coordination": (WORD, 1)}
GRAINS = {"size": (FLOAT, 1), "mass": (FLOAT, 1), "velocity": (FLOAT, 3), "spin": (FLOAT, 3), "force": (FLOAT, 3),
          "torque": (FLOAT, 3), "orientation": (FLOAT, 4), "quaternion": (FLOAT, 4), "grain": (LONG, 1),
          "material": (WORD, 1), "kind": (WORD, 1)}
CONTACTS = {"force": (FLOAT, 3), "normal_force": (FLOAT, 1), "normal": (FLOAT, 3), "point": (DOUBLE, 3),
            "overlap": (FLOAT, 1), "grain_a": (LONG, 1), "grain_b": (LONG, 1), "slot_a": (WORD, 1),
            "slot_b": (WORD, 1), "wall": (WORD, 1)}
FIELD = {"density": (DOUBLE, 1), "velocity": (DOUBLE, 3), "contact_stress": (DOUBLE, 6), "kinetic_stress": (DOUBLE, 6),
         "pressure": (DOUBLE, 1)}

last = max(int(n[7:13]) for n in os.listdir(f"{folder}/snapshots") if n.startswith("grains-") and n.endswith(".vtp"))
number = f"{last:06d}"

# ---- Spheres ------------------------------------------------------------------------------------------------------
spheres = open_file(vtk.vtkXMLPolyDataReader(), f"snapshots/grains-{number}.vtp")
count = spheres.GetNumberOfPoints()
data = spheres.GetPointData()
check("spheres: none", count > 100)
check("spheres: vertices", spheres.GetNumberOfVerts() == count)
arrays("spheres", data, SPHERES, count)
time = spheres.GetFieldData().GetArray("TimeValue").GetValue(0)
check(f"spheres: time is {time}", time > 0.2)
check("spheres: ranges", 1e-3 <= data.GetArray("radius").GetRange()[0] and data.GetArray("radius").GetRange()[1] <= 3e-3)
check("spheres: kinds", data.GetArray("kind").GetRange() == (1, 2))
carried = [sum(f[k] for f in rows(data, "force")) for k in range(3)]
check(f"spheres: forces add up to {carried}, the weight is {weight}", near(carried[2], weight, 0.02))
pressed = sum(s[0] + s[1] + s[2] < 0 for s in rows(data, "stress"))
touching = sum(n[0] > 0 for n in rows(data, "coordination"))
check(f"spheres: {pressed} of {touching} that touch are under pressure", pressed > 0.95 * touching > 100)

if os.path.exists(f"{folder}/snapshots/grains-{number}.hdf"):
    boxed = open_file(vtk.vtkHDFReader(), f"snapshots/grains-{number}.hdf")
    arrays("VTKHDF", boxed.GetPointData(), SPHERES, count)
    check("VTKHDF: points", boxed.GetNumberOfPoints() == count and boxed.GetNumberOfCells() == count)
    check("VTKHDF: time", boxed.GetFieldData().GetArray("TimeValue").GetValue(0) == time)
    for key in SPHERES:
        check(f"VTKHDF: {key} differs from .vtp", rows(boxed.GetPointData(), key) == rows(data, key))
    if vtk.vtkVersion().GetVTKMajorVersion() * 100 + vtk.vtkVersion().GetVTKMinorVersion() < 903:
        print(f"skip: grains.hdf is not read, VTK 9.3 reads it and this is {vtk.vtkVersion().GetVTKVersion()}")
    else:
        film = vtk.vtkHDFReader()
        film.SetFileName(f"{folder}/snapshots/grains.hdf")
        film.UpdateInformation()
        info, key = film.GetOutputInformation(0), vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        times = [info.Get(key, i) for i in range(info.Length(key))]
        check(f"film: times {times}", len(times) == last + 1 and times[-1] == time)
        film.UpdateTimeStep(times[0])
        first = film.GetOutput().GetNumberOfPoints()
        check(f"film: {first} spheres at first", 0 < first < count)
        film.UpdateTimeStep(time)
        check("film: its end", film.GetOutput().GetNumberOfPoints() == count)
        for key in SPHERES:
            check(f"film: {key} differs from .vtp", rows(film.GetOutput().GetPointData(), key) == rows(data, key))

if os.path.exists(f"{folder}/snapshots/grains-{number}.ply"):
    cloud = open_file(vtk.vtkPLYReader(), f"snapshots/grains-{number}.ply")
    check("PLY: points", cloud.GetNumberOfPoints() == count)

# ---- Grains -------------------------------------------------------------------------------------------------------
grains = open_file(vtk.vtkXMLPolyDataReader(), f"snapshots/centres-{number}.vtp")
data = grains.GetPointData()
arrays("grains", data, GRAINS, grains.GetNumberOfPoints())
check("grains: fewer than spheres", 0 < grains.GetNumberOfPoints() < count)
check("grains: in order of id", rows(data, "grain") == sorted(set(rows(spheres.GetPointData(), "grain"))))
check("grains: quaternions", all(q == (p[3], p[0], p[1], p[2]) and near(norm(q), 1, 1e-5)
                                 for p, q in zip(rows(data, "orientation"), rows(data, "quaternion"))))
mass = sum(m[0] for m in rows(data, "mass"))
check(f"grains: weigh {9.81 * mass}, not {weight}", near(9.81 * mass, weight, 1e-5))

# ---- Contacts -----------------------------------------------------------------------------------------------------
contacts = open_file(vtk.vtkXMLPolyDataReader(), f"snapshots/contacts-{number}.vtp")
lines, data = contacts.GetNumberOfLines(), contacts.GetCellData()
check("contacts: lines", lines > 100 and contacts.GetNumberOfPoints() == 2 * lines)
arrays("contacts", data, CONTACTS, lines)
arrays("contacts", contacts.GetPointData(), {"force_magnitude": (FLOAT, 1)}, 2 * lines)
touches = sum(2 if b[0] else 1 for b in rows(data, "grain_b"))
check("contacts: coordination", touches == sum(n[0] for n in rows(spheres.GetPointData(), "coordination")))
check("contacts: a wall or a grain", all((w[0] > 0) != (b[0] > 0) for w, b in zip(rows(data, "wall"), rows(data, "grain_b"))))
check("contacts: normals", all(near(norm(n), 1, 1e-5) for n in rows(data, "normal")))
floor = sum(f[2] for f, w in zip(rows(data, "force"), rows(data, "wall")) if w[0])
check(f"contacts: walls carry {floor}, the weight is {weight}", near(floor, weight, 0.02))
for i in range(lines):
    a, b = contacts.GetPoint(2 * i), contacts.GetPoint(2 * i + 1)
    if not 0.9e-3 < math.dist(a, b) < 6.1e-3:
        check(f"contacts: line {i} is {math.dist(a, b)} m long", False)
        break

# ---- Bodies and fields --------------------------------------------------------------------------------------------
bodies = open_file(vtk.vtkXMLPolyDataReader(), f"snapshots/bodies-{number}.vtp")
check("bodies: triangles", bodies.GetNumberOfPolys() >= 12)
for name in ("coarse", "plain"):
    field = open_file(vtk.vtkXMLImageDataReader(), f"fields/{name}-000001.vti")
    cells = field.GetNumberOfCells()
    arrays(name, field.GetCellData(), FIELD, cells)
    volume = math.prod(field.GetSpacing())
    held = volume * sum(d[0] for d in rows(field.GetCellData(), "density"))
    check(f"{name}: holds {held} kg of {mass}", 0 < held <= mass * (1 + 1e-6))
    check(f"{name}: time", field.GetFieldData().GetArray("TimeValue").GetValue(0) > 0)
check("coarse: cells", open_file(vtk.vtkXMLImageDataReader(), "fields/coarse-000001.vti").GetDimensions() == (7, 7, 11))

for problem in problems:
    print(problem)
print(f"VTK {vtk.vtkVersion().GetVTKVersion()}: {count} spheres, {lines} contacts, {len(problems)} problems")
sys.exit(1 if problems else 0)
