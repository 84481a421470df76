import WebImage
import CGtk4
